;;; tutor-lsp-menu.el --- All commands of the tutor by keys  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A menu at the bottom of the frame, with the keys of `tutor-lsp-command-map'.
;; It is loaded when it is first opened.

;;; Code:

(require 'transient)

(require 'tutor-lsp-words)

(declare-function tutor-lsp-mode-line "tutor-lsp")

(defun tutor-lsp-menu--heading ()
  "How far the exercise is, else what this is."
  (let ((standing (tutor-lsp-mode-line)))
    (propertize (if (string-empty-p standing) "Tutor" standing) 'face 'transient-heading)))

;;;###autoload (autoload 'tutor-lsp-dispatch "tutor-lsp-menu" nil t)
(transient-define-prefix tutor-lsp-dispatch ()
  "All that the tutor does, by one key each."
  [:description tutor-lsp-menu--heading
   [:description (lambda () (tutor-lsp-t "Work"))
    ("c" (lambda () (tutor-lsp-t "Check")) tutor-lsp-check)
    ("h" (lambda () (tutor-lsp-t "Hint")) tutor-lsp-hint)
    ("?" (lambda () (tutor-lsp-t "Ask…")) tutor-lsp-ask)
    ("a" (lambda () (tutor-lsp-t "Attempt")) tutor-lsp-attempt)
    ("n" (lambda () (tutor-lsp-t "Next exercise")) tutor-lsp-next)]
   [:description (lambda () (tutor-lsp-t "Read"))
    ("l" (lambda () (tutor-lsp-t "Lesson")) tutor-lsp-lesson)
    ("t" (lambda () (tutor-lsp-t "Test")) tutor-lsp-test)
    ("o" (lambda () (tutor-lsp-t "Output")) tutor-lsp-output)
    ("r" (lambda () (tutor-lsp-t "Last review")) tutor-lsp-review)
    ("f" (lambda () (tutor-lsp-t "Failures")) flymake-show-project-diagnostics)
    ("w" (lambda () (tutor-lsp-t "Hint or review")) tutor-lsp-focus)]
   [:description (lambda () (tutor-lsp-t "Stuck"))
    ("s" (lambda () (tutor-lsp-t "Solution…")) tutor-lsp-reveal)
    ("e" (lambda () (tutor-lsp-t "Easier exercise")) tutor-lsp-easier)
    ("d" (lambda () (tutor-lsp-t "Compare…")) tutor-lsp-compare)
    ("R" (lambda () (tutor-lsp-t "Reset…")) tutor-lsp-reset)
    ("u" (lambda () (tutor-lsp-t "Undo reset")) tutor-lsp-undo)]
   [:description (lambda () (tutor-lsp-t "Exercises"))
    ("m" (lambda () (tutor-lsp-t "Continue or start…")) tutor-lsp)
    ("T" (lambda () (tutor-lsp-t "Topics…")) tutor-lsp-curriculum)
    ("S" (lambda () (tutor-lsp-t "Status")) tutor-lsp-status)
    ("p" (lambda () (tutor-lsp-t "Learning report")) tutor-lsp-report)
    ("D" (lambda () (tutor-lsp-t "Doctor")) tutor-lsp-doctor)]])

(provide 'tutor-lsp-menu)
;;; tutor-lsp-menu.el ends here
