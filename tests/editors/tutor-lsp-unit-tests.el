;;; tutor-lsp-unit-tests.el --- Parts that need no server  -*- lexical-binding: t; -*-

;;; Commentary:

;; Run in batch by test_emacs.py, one test per Emacs.

;;; Code:

(require 'tutor-lsp-test-support)

(defun tests-matching (typed table)
  "The candidates of TABLE that TYPED stands for, by the user's own configuration."
  (let* ((completion-ignore-case t)
         (found (completion-all-completions typed table nil (length typed)
                                            (completion-metadata typed table nil))))
    (when (consp found) (setcdr (last found) nil))
    (mapcar #'substring-no-properties found)))

(ert-deftest tests-any-part-of-a-label-matches ()
  (let* ((named (tutor-lsp-pick--named
                 '((:label "○○○ Functions and return values" :detail "D1" :group "Basics")
                   (:label "Numbers" :detail "python" :group "Basics")
                   (:label "Numbers" :detail "rust" :group "More"))))
         (table (tutor-lsp-pick-table named))
         (group (completion-metadata-get (completion-metadata "" table nil) 'group-function)))
    (should (equal '("Numbers (python)" "Numbers (rust)") (tests-matching "numbers" table)))
    (should (equal '("○○○ Functions and return values") (tests-matching "return" table)))
    (should (equal '("Numbers (rust)") (tests-matching "rust" table)))
    (should (equal '("○○○ Functions and return values  D1" "Numbers (python)" "Numbers (rust)")
                   (tests-shown table)))
    (should (equal "More" (funcall group "Numbers (rust)" nil)))
    ;; What the user says of this category wins.
    (let ((completion-category-overrides '((tutor-lsp (styles basic)))) (completion-styles nil))
      (should-not (tests-matching "return" table))))
  (should (equal '("a (x)" "a (x)<2>" "b")
                 (mapcar #'car (tutor-lsp-pick--named
                                '((:label "a" :detail "x") (:label "a" :detail "x")
                                  (:label "b" :detail "x")))))))

(ert-deftest tests-lists-are-shown-where-nothing-else-shows-them ()
  (let ((shown 0))
    (cl-letf (((symbol-function 'minibuffer-completion-help) (lambda () (cl-incf shown)))
              ((symbol-function 'completing-read)
               (lambda (&rest _) (run-hooks 'minibuffer-setup-hook) "a")))
      (should (equal '(:label "a") (tutor-lsp-pick "Which" '((:label "a") (:label "b")))))
      (should (= 1 shown))
      (dlet ((vertico-mode t)) (tutor-lsp-pick "Which" '((:label "a"))))
      (dlet ((fido-mode t)) (tutor-lsp-pick "Which" '((:label "a"))))
      (dlet ((completing-read-function #'ignore)) (tutor-lsp-pick "Which" '((:label "a"))))
      (should (= 1 shown)))))

(ert-deftest tests-what-the-doctor-offers-is-a-button ()
  (let* ((home (make-temp-file "tutor" t))
         (config (expand-file-name "config.toml" home))
         (mends `((:kind "page" :url "https://rustup.rs")
                  (:kind "line" :line "codex\tlogin")
                  (:kind "setting" :setting "model")
                  (:kind "command" :command "tutor.restore" :argument (:record t))
                  (:kind "file" :file ,config)))
         (texts '("Open it." "Type it." "Set it." "Run it." "Open the file."))
         (said (cl-loop for text in texts for number from 1
                        concat (format "%d. %s\n" number text)))
         (found `(:home ,home
                  :remedies ,(vconcat (mapcar (lambda (mend) `(:message "x" :mend ,mend)) mends))
                  :say (:markdown ,(concat "# What works here\n\n- 1. no button\n\n" said))))
         (browsed nil) (asked nil)
         (browse-url-browser-function (lambda (url &rest _) (push url browsed)))
         (press (lambda (number)
                  (tutor-lsp-ways-mend found)
                  (should (equal "*tutor*" (buffer-name (window-buffer))))
                  (should (equal (car texts) (substring (button-label (button-at (point))) 3)))
                  (forward-button (1- number) nil nil t)
                  (push-button))))
    (cl-letf (((symbol-function 'tutor-lsp--ask) (lambda (&rest it) (push it asked))))
      (funcall press 1)
      (should (equal '("https://rustup.rs") browsed))
      (funcall press 2)
      (should (string-suffix-p "codex login" (buffer-string)))
      (should (derived-mode-p 'shell-mode))
      (let ((kill-buffer-query-functions nil)) (kill-buffer))
      (funcall press 3)
      (should (equal config buffer-file-name))
      (funcall press 4)
      (should (equal '(("tutor.restore" (:record t))) asked))
      (funcall press 5)
      (should (equal config buffer-file-name)))
    (tutor-lsp-ways-mend '(:say (:markdown "# What works here\n\n1. Fine.") :remedies []))
    (with-current-buffer "*tutor*" (should-not (next-button (point-min))))))

(ert-deftest tests-words-that-are-cut-are-shown-whole ()
  (tutor-lsp-text-tell '(:oneLine "It begins …" :markdown "# Long\n\nIt begins and ends."))
  (should (equal "# Long\n\nIt begins and ends.\n" (tests-tutor-text))))

;; What a test says of a value is read to the letter, wrapped or not.
(ert-deftest tests-a-closer-hint-comes-in-place-of-one-that-is-looked-at ()
  (cl-flet ((hint (text source)
              `(:unit "ex-1" :level 1 :source ,source
                :say (:title "Hint 1" :oneLine ,text :markdown ,(concat "# Hint 1\n\n" text))))
            (text () (with-current-buffer "*tutor*" (buffer-string))))
    (save-window-excursion
      (tutor-lsp-text-early (plist-get (hint "At once." "author") :say))
      (tutor-lsp-text-show "tutor.hint" (hint "A closer look." "model"))
      (should (string-search "A closer look." (text)))
      (should (get-buffer-window "*tutor*"))
      (tutor-lsp-text-early (plist-get (hint "At once." "author") :say))
      (delete-other-windows (get-buffer-window "*scratch*"))
      (switch-to-buffer "*scratch*")
      (should-not (get-buffer-window "*tutor*"))
      (tutor-lsp-text-show "tutor.hint" (hint "At once." "author"))
      (should-not (get-buffer-window "*tutor*"))
      (tutor-lsp-text-early (plist-get (hint "At once." "author") :say))
      (delete-other-windows (get-buffer-window "*scratch*"))
      (switch-to-buffer "*scratch*")
      (tutor-lsp-text-show "tutor.hint" (hint "Closer still." "model"))
      (should-not (get-buffer-window "*tutor*"))
      (should (string-search "Closer still." (text)))
      (should (tests-said-p "There is a closer hint now"))
      (tutor-lsp-text-show "tutor.hint" (hint "The next." "author"))
      (should (get-buffer-window "*tutor*"))
      (tutor-lsp-text-early (plist-get (hint "One." "model") :say))
      (tutor-lsp-text-early (plist-get (hint "One. Two." "model") :say))
      (should (string-search "One. Two." (text)))
      (delete-other-windows (get-buffer-window "*scratch*"))
      (switch-to-buffer "*scratch*")
      (tutor-lsp-text-early (plist-get (hint "One. Two. Three." "model") :say))
      (should-not (get-buffer-window "*tutor*"))
      (should (string-search "Three." (text))))))

(ert-deftest tests-blanks-in-a-value-stay-as-they-are ()
  (let* ((said (concat "- `shout('a  b')` gave 'A B', expected 'A  B' and "
                       (mapconcat (lambda (_) "nothing else") (number-sequence 1 12) " ")
                       " 'x   y'."))
         (lines (split-string (tutor-lsp-place--wrapped said "  ") "\n" t)))
    (should (cdr lines))
    (should (equal said (mapconcat (lambda (line) (substring line 4)) lines " ")))))

(ert-deftest tests-keys-and-menu ()
  (should (eq #'tutor-lsp-check (keymap-lookup tutor-lsp-mode-map "C-c , c")))
  (should (lookup-key tutor-lsp-mode-map [menu-bar Tutor]))
  (should (string-search "Learning report" (format "%S" tutor-lsp-menu)))
  (map-keymap (lambda (_ command) (should (commandp command))) tutor-lsp-command-map)
  (customize-set-variable 'tutor-lsp-keymap-prefix "C-c .")
  (should (eq #'tutor-lsp-hint (keymap-lookup tutor-lsp-mode-map "C-c . h")))
  (should-not (keymap-lookup tutor-lsp-mode-map "C-c ,"))
  (customize-set-variable 'tutor-lsp-keymap-prefix nil)
  (should-not (keymap-lookup tutor-lsp-mode-map "C-c .")))

(ert-deftest tests-why-nothing-was-run-stands-at-the-code-too ()
  (with-temp-buffer
    (insert "def f():\n    pass\n")
    (tutor-lsp-place-failures
     '[(:source "tutor" :severity 2 :message "cargo was not found." :range (:start (:line 0)))
       (:source "tutor" :severity 3 :message "to do" :range (:start (:line 1)))])
    (should (equal '(("def f():" " \n↳ cargo was not found.")) (tests-failures)))
    (tutor-lsp-place-failures nil)
    (should-not (tests-failures))))

;; Flymake shows a sentence on the line that it marks, which may be out of view.
(ert-deftest tests-nothing-is-told-twice-on-one-line ()
  (with-temp-buffer
    (insert "def f():\n    pass\n")
    (let ((failures
           '[(:source "tutor" :severity 1 :message "on the code" :range (:start (:line 0))
              :data (:body (:line 2 :endLine 2)))
             (:source "tutor" :severity 2 :message "on the stub" :range (:start (:line 0)))]))
      (dlet ((flymake-show-diagnostics-at-end-of-line nil))
        (tutor-lsp-place-failures failures)
        (should (equal '("    pass" "def f():") (sort (mapcar #'car (tests-failures))))))
      (dlet ((flymake-show-diagnostics-at-end-of-line 'short))
        (tutor-lsp-place-failures failures)
        (should (equal '("    pass") (mapcar #'car (tests-failures))))))))

;; One letter does the same after the prefix and in the menu.
(ert-deftest tests-menu-of-all-keys ()
  (require 'tutor-lsp-menu)
  (map-keymap (lambda (key command)
                (unless (eq command 'tutor-lsp-dispatch)
                  (let ((suffix (transient-get-suffix 'tutor-lsp-dispatch (string key))))
                    (should (eq command (plist-get (seq-find #'plistp suffix) :command))))))
              tutor-lsp-command-map))

(provide 'tutor-lsp-unit-tests)
;;; tutor-lsp-unit-tests.el ends here
