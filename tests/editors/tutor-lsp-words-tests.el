;;; tutor-lsp-words-tests.el --- The package in another language  -*- lexical-binding: t; -*-

;;; Commentary:

;; Run in batch by test_emacs.py, one test per Emacs, in a home of its own.  In
;; tests-in-another-language the server has a translation in which no letter is
;; ASCII's.

;;; Code:

(require 'tutor-lsp-test-support)
(require 'tutor-lsp-menu)

(defun tests-wide (text)
  "TEXT in the other language."
  (replace-regexp-in-string "[A-Za-z]" (lambda (letter) (string (+ (aref letter 0) #xFEE0)))
                            text t t))

(defun tests-english (text)
  "The first English words of TEXT that are no command, file or name, or nil."
  (let ((case-fold-search nil)
        (left (replace-regexp-in-string
               "M-x [a-z-]+\\|`[^`']*[`']\\|ex-[0-9]\\|[a-z_]+(?)?\\.\\(py\\|md\\)" "" text)))
    (dolist (known '("to_minutes" "ends_at" "catches_bus" "plan" "Tutor" "python"))
      (setq left (string-replace known "" left)))
    (and (string-match "[A-Za-z]\\{3,\\}.*" left) (match-string 0 left))))

(defun tests-refusal (command)
  "What the user-error of COMMAND says."
  (cadr (should-error (call-interactively command) :type 'user-error)))

(ert-deftest tests-in-another-language ()
  (tutor-lsp-global-mode 1)
  (should (equal (concat (tests-wide "The list is empty: ") "M-x tutor-lsp-start"
                         (tests-wide " begins an exercise"))
                 (tests-refusal #'tutor-lsp-sessions)))
  (tests-open)
  ;; Refusals of the package itself.
  (dolist (command '(tutor-lsp-output tutor-lsp-easier tutor-lsp-practise tutor-lsp-focus))
    (should-not (tests-english (tests-refusal command))))
  ;; A hint, with what its keys do.
  (tutor-lsp-hint)
  (tests-until (string-search (tests-wide "Hint") (tests-tutor-text)))
  (with-current-buffer "*tutor*"
    (should (string-search (tests-wide "next hint") header-line-format))
    (should-not (tests-english (string-replace "C-c" "" header-line-format))))
  ;; What is asked.
  (tests-choosing ((tests-wide "undo"))
    (cl-letf (((symbol-function 'tutor-lsp--ask)
               (lambda (command argument)
                 (should (equal '("tutor.reset" (:undo t)) (list command argument))))))
      (call-interactively #'tutor-lsp-reset)))
  (tests-choosing ((tests-wide "record"))
    (cl-letf (((symbol-function 'tutor-lsp--ask)
               (lambda (command argument)
                 (should (equal '("tutor.restore" (:record t)) (list command argument))))))
      (call-interactively #'tutor-lsp-restore)))
  (tests-choosing ((tests-wide "coach"))
    (cl-letf (((symbol-function 'tutor-lsp--ask)
               (lambda (command argument)
                 (should (equal '("tutor.open" (:target "coach")) (list command argument))))))
      (call-interactively #'tutor-lsp-open)))
  (dolist (prompt (seq-take tests-prompts 3))
    (should-not (tests-english (string-replace "(default" "(" prompt))))
  (dolist (shown (apply #'append (seq-take tests-asked 3)))
    ;; Units say what the exercise says of them.
    (unless (string-prefix-p "○ ex-" shown) (should-not (tests-english shown))))
  (cl-letf (((symbol-function 'read-string)
             (lambda (prompt) (should (equal (tests-wide "Your question: ") prompt)) "why?")))
    (call-interactively #'tutor-lsp-ask))
  ;; A message, and that of the server.
  (tutor-lsp-review)
  (tests-until (tests-said-p (tests-wide "There is no review yet")))
  (tutor-lsp-cancel)
  (tests-until (tests-said-p (tests-wide "Nothing is running")))
  ;; The menus.
  (let ((items (seq-filter (lambda (item) (eq (nth 1 item) 'menu-item))
                           (seq-filter #'proper-list-p (cdr tutor-lsp-menu)))))
    (should (= 20 (length items)))
    (pcase-dolist (`(,name ,_ ,label . ,_) items)
      (should (equal (tests-wide (symbol-name name)) (eval label t)))))
  (map-keymap
   (lambda (key command)
     (unless (eq command 'tutor-lsp-dispatch)
       (let* ((suffix (transient-get-suffix 'tutor-lsp-dispatch (string key)))
              (said (plist-get (seq-find #'plistp suffix) :description)))
         (should-not (tests-english (funcall said))))))
   tutor-lsp-command-map))

(ert-deftest tests-places-of-a-text-are-filled ()
  (should (equal "a {b}" (tutor-lsp-t "{one} {b}" :one "a")))
  (tutor-lsp-words-learn '(:{one}\ and\ {two} "{two}, {one}"))
  (should (equal "2, 1" (tutor-lsp-t "{one} and {two}" :one 1 :two 2)))
  (should (equal "unknown" (tutor-lsp-t "unknown"))))

(provide 'tutor-lsp-words-tests)
;;; tutor-lsp-words-tests.el ends here
