;;; tutor-lsp-keys.el --- Keys and menu of the tutor  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A minor mode of the buffers of exercises.  Its prefix is one that Emacs leaves
;; to minor modes: C-c and a punctuation character.

;;; Code:

(require 'easymenu)
(require 'tutor-lsp-client)

;; A menu of transient, which need not be loaded before it is opened.
(autoload 'tutor-lsp-dispatch "tutor-lsp-menu" nil t)

(defvar-keymap tutor-lsp-command-map
  :doc "The tutor's keys after `tutor-lsp-keymap-prefix'."
  "c" 'tutor-lsp-check
  "h" 'tutor-lsp-hint
  "n" 'tutor-lsp-next
  "l" 'tutor-lsp-lesson
  "a" 'tutor-lsp-attempt
  "t" 'tutor-lsp-test
  "o" 'tutor-lsp-output
  "?" 'tutor-lsp-ask
  "s" 'tutor-lsp-reveal
  "e" 'tutor-lsp-easier
  "d" 'tutor-lsp-compare
  "r" 'tutor-lsp-review
  "f" 'flymake-show-project-diagnostics
  "u" 'tutor-lsp-undo
  "w" 'tutor-lsp-focus
  "m" 'tutor-lsp
  "," 'tutor-lsp-dispatch)

(defvar-keymap tutor-lsp-mode-map
  :doc "Keymap of `tutor-lsp-mode'.")

(defun tutor-lsp--set-prefix (symbol prefix)
  "Set SYMBOL to PREFIX and put the tutor's keys after that."
  (when-let* ((before (and (boundp symbol) (symbol-value symbol))))
    (keymap-unset tutor-lsp-mode-map before t))
  (when prefix (keymap-set tutor-lsp-mode-map prefix (cons "Tutor" tutor-lsp-command-map)))
  (set-default-toplevel-value symbol prefix))

(defcustom tutor-lsp-keymap-prefix "C-c ,"
  "Prefix of `tutor-lsp-command-map' in the buffers of exercises, nil for none."
  :type '(choice (const :tag "None" nil) key)
  :set #'tutor-lsp--set-prefix
  :group 'tutor-lsp)

(easy-menu-define tutor-lsp-menu tutor-lsp-mode-map
  "The tutor's menu."
  '("Tutor"
    ["Check: run the tests" tutor-lsp-check]
    ["Hint" tutor-lsp-hint]
    ["Ask a question…" tutor-lsp-ask]
    ["Attempt: run all tests and get a review" tutor-lsp-attempt]
    ["Next exercise" tutor-lsp-next]
    "---"
    ["Lesson" tutor-lsp-lesson]
    ["Test" tutor-lsp-test]
    ["Output of the last run" tutor-lsp-output]
    ["Last review" tutor-lsp-review]
    ["Hint or review: go there and back" tutor-lsp-focus]
    "---"
    ["Show the solution…" tutor-lsp-reveal]
    ["Compare with the reference…" tutor-lsp-compare]
    ["Take an easier exercise first" tutor-lsp-easier]
    ["Reset…" tutor-lsp-reset]
    ["Undo the last reset" tutor-lsp-undo]
    "---"
    ["Continue or start an exercise…" tutor-lsp]
    ["Topics…" tutor-lsp-curriculum]
    ["Status" tutor-lsp-status]
    ["Learning report" tutor-lsp-report]
    ["Doctor" tutor-lsp-doctor]))

(define-minor-mode tutor-lsp-mode
  "The tutor's keys and menu, in the buffers of exercises.

\\{tutor-lsp-mode-map}"
  :group 'tutor-lsp)

(defconst tutor-lsp-keys--ways
  '((h . "next hint") (s . "solution") (\? . "ask") (e . "easier exercise")
    (n . "next exercise") (d . "compare") (w . "go there") (q . "close"))
  "Keys that a text may name, and what they do.")

(defun tutor-lsp-keys-line (ways)
  "A line that names the keys in WAYS, a list of symbols, and those of every text."
  (concat (and tutor-lsp-keymap-prefix (concat (key-description (kbd tutor-lsp-keymap-prefix)) " "))
          (mapconcat (lambda (way) (format "%s %s" way (alist-get way tutor-lsp-keys--ways)))
                     (append ways '(w)) " · ")
          ", here q " (alist-get 'q tutor-lsp-keys--ways)))

(provide 'tutor-lsp-keys)
;;; tutor-lsp-keys.el ends here
