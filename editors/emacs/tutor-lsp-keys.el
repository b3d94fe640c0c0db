;;; tutor-lsp-keys.el --- Keys and menu of the tutor  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A minor mode of the buffers of exercises.  Its prefix is one that Emacs leaves
;; to minor modes: C-c and a punctuation character.

;;; Code:

(require 'easymenu)
(require 'tutor-lsp-client)
(require 'tutor-lsp-words)

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

(defun tutor-lsp-keys--item (text command)
  "An item of the menu: TEXT, translated when it is opened, for COMMAND."
  (vector text command :label `(tutor-lsp-t ,text)))

(easy-menu-define tutor-lsp-menu tutor-lsp-mode-map
  "The tutor's menu."
  (list
   "Tutor"
   (tutor-lsp-keys--item "Check: run the tests" 'tutor-lsp-check)
   (tutor-lsp-keys--item "Hint" 'tutor-lsp-hint)
   (tutor-lsp-keys--item "Ask a question…" 'tutor-lsp-ask)
   (tutor-lsp-keys--item "Attempt: run all tests and get a review" 'tutor-lsp-attempt)
   (tutor-lsp-keys--item "Next exercise" 'tutor-lsp-next)
   "---"
   (tutor-lsp-keys--item "Lesson" 'tutor-lsp-lesson)
   (tutor-lsp-keys--item "Test" 'tutor-lsp-test)
   (tutor-lsp-keys--item "Output of the last run" 'tutor-lsp-output)
   (tutor-lsp-keys--item "Last review" 'tutor-lsp-review)
   (tutor-lsp-keys--item "Hint or review: go there and back" 'tutor-lsp-focus)
   "---"
   (tutor-lsp-keys--item "Show the solution…" 'tutor-lsp-reveal)
   (tutor-lsp-keys--item "Compare with the reference…" 'tutor-lsp-compare)
   (tutor-lsp-keys--item "Take an easier exercise first" 'tutor-lsp-easier)
   (tutor-lsp-keys--item "Reset…" 'tutor-lsp-reset)
   (tutor-lsp-keys--item "Undo the last reset" 'tutor-lsp-undo)
   "---"
   (tutor-lsp-keys--item "Continue or start an exercise…" 'tutor-lsp)
   (tutor-lsp-keys--item "Topics…" 'tutor-lsp-curriculum)
   (tutor-lsp-keys--item "Status" 'tutor-lsp-status)
   (tutor-lsp-keys--item "Learning report" 'tutor-lsp-report)
   (tutor-lsp-keys--item "Doctor" 'tutor-lsp-doctor)))

(define-minor-mode tutor-lsp-mode
  "The tutor's keys and menu, in the buffers of exercises.

\\{tutor-lsp-mode-map}"
  :group 'tutor-lsp)

(defconst tutor-lsp-keys--ways
  `((h . ,(tutor-lsp-marked "next hint")) (s . ,(tutor-lsp-marked "solution"))
    (\? . ,(tutor-lsp-marked "ask")) (e . ,(tutor-lsp-marked "easier exercise"))
    (n . ,(tutor-lsp-marked "next exercise")) (d . ,(tutor-lsp-marked "compare"))
    (w . ,(tutor-lsp-marked "go there")) (q . ,(tutor-lsp-marked "close")))
  "Keys that a text may name, and what they do.")

(defun tutor-lsp-keys--does (way)
  "What the key WAY does."
  (tutor-lsp-t (alist-get way tutor-lsp-keys--ways)))

(defun tutor-lsp-keys-line (ways)
  "A line that names the keys in WAYS, a list of symbols, and those of every text."
  (concat (and tutor-lsp-keymap-prefix (concat (key-description (kbd tutor-lsp-keymap-prefix)) " "))
          (mapconcat (lambda (way) (format "%s %s" way (tutor-lsp-keys--does way)))
                     (append ways '(w)) " · ")
          ", " (tutor-lsp-t "here q {does}" :does (tutor-lsp-keys--does 'q))))

(provide 'tutor-lsp-keys)
;;; tutor-lsp-keys.el ends here
