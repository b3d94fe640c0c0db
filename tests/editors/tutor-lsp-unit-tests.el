;;; tutor-lsp-unit-tests.el --- Parts that need no server  -*- lexical-binding: t; -*-

;;; Commentary:

;; Run in batch by test_emacs.py, after tutor-lsp-tests.el.

;;; Code:

(require 'tutor-lsp-tests)

(defun tests-matching (typed table)
  "The candidates of TABLE that TYPED stands for, by the user's own configuration."
  (let* ((completion-ignore-case t)
         (found (completion-all-completions typed table nil (length typed)
                                            (completion-metadata typed table nil))))
    (when (consp found) (setcdr (last found) nil))
    (mapcar #'substring-no-properties found)))

(ert-deftest tests-any-part-of-a-title-matches ()
  (let* ((nodes '((:title "Functions and return values" :language "python" :openable t)
                  (:title "Numbers" :language "python" :claimed t)
                  (:title "Numbers" :language "rust" :openable t)))
         (choices (tutor-lsp-pick--distinct
                   (mapcar (lambda (node) (tutor-lsp-pick--node node nodes)) nodes)))
         (table (tutor-lsp-pick-table choices)))
    (should (equal '("Numbers (python)" "Numbers (rust)") (tests-matching "numbers" table)))
    (should (equal '("Functions and return values") (tests-matching "return" table)))
    (should (equal '("Numbers (rust)") (tests-matching "rust" table)))
    (should (equal '("○ Functions and return values  0 of 3"
                     "✓ Numbers (python)             known · with a model"
                     "○ Numbers (rust)               0 of 3")
                   (tests-shown table)))
    ;; What the user says of this category wins.
    (let ((completion-category-overrides '((tutor-lsp (styles basic)))) (completion-styles nil))
      (should-not (tests-matching "return" table))))
  (should (equal '("a (x)" "a (x)<2>" "b")
                 (mapcar #'car (tutor-lsp-pick--distinct
                                '(("a" 1 "" "" "x") ("a" 2 "" "" "x") ("b" 3 "" "" "x")))))))

(ert-deftest tests-lists-are-shown-where-nothing-else-shows-them ()
  (let ((shown 0))
    (cl-letf (((symbol-function 'minibuffer-completion-help) (lambda () (cl-incf shown)))
              ((symbol-function 'completing-read)
               (lambda (&rest _) (run-hooks 'minibuffer-setup-hook) "a")))
      (should (eql 1 (tutor-lsp-pick "Which" '(("a" 1) ("b" 2)))))
      (should (= 1 shown))
      (dlet ((vertico-mode t)) (tutor-lsp-pick "Which" '(("a" 1))))
      (dlet ((fido-mode t)) (tutor-lsp-pick "Which" '(("a" 1))))
      (dlet ((completing-read-function #'ignore)) (tutor-lsp-pick "Which" '(("a" 1))))
      (should (= 1 shown)))))

(ert-deftest tests-words-that-can-be-typed ()
  (dolist (pair '(("Start one first (tutor.start)." . "Start one first (M-x tutor-lsp-start).")
                  ("tutor.sessions lists all." . "M-x tutor-lsp-sessions lists all.")
                  ("tutor.status tutor.cancel" . "M-x tutor-lsp-status M-x tutor-lsp-cancel")
                  ("`tutor.hint`" . "`M-x tutor-lsp-hint`")))
    (should (equal (cdr pair) (tutor-lsp-text-typed (car pair)))))
  ;; Settings, files, names in code.
  (dolist (same '("the setting tutor.backend names one" "/home/me/tutor.start" "tutor.db"
                  "tutor.start.now" "tutor.starts" "my_tutor.start" "x.tutor.start"
                  "tutor.start_it"))
    (should (equal same (tutor-lsp-text-typed same))))
  (should (equal "" (tutor-lsp-text-typed nil))))

(provide 'tutor-lsp-unit-tests)
;;; tutor-lsp-unit-tests.el ends here
