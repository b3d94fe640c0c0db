;;; tutor-lsp-menu.el --- All commands of the tutor by keys  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A menu at the bottom of the frame, with the keys of `tutor-lsp-command-map'.
;; It is loaded when it is first opened.

;;; Code:

(require 'transient)

(declare-function tutor-lsp-mode-line "tutor-lsp")

(defun tutor-lsp-menu--heading ()
  "How far the exercise is, else what this is."
  (let ((standing (tutor-lsp-mode-line)))
    (propertize (if (string-empty-p standing) "Tutor" standing) 'face 'transient-heading)))

;;;###autoload (autoload 'tutor-lsp-dispatch "tutor-lsp-menu" nil t)
(transient-define-prefix tutor-lsp-dispatch ()
  "All that the tutor does, by one key each."
  [:description tutor-lsp-menu--heading
   ["Work"
    ("c" "Check" tutor-lsp-check)
    ("h" "Hint" tutor-lsp-hint)
    ("?" "Ask…" tutor-lsp-ask)
    ("a" "Attempt" tutor-lsp-attempt)
    ("n" "Next exercise" tutor-lsp-next)]
   ["Read"
    ("l" "Lesson" tutor-lsp-lesson)
    ("t" "Test" tutor-lsp-test)
    ("o" "Output" tutor-lsp-output)
    ("r" "Last review" tutor-lsp-review)
    ("f" "Failures" flymake-show-project-diagnostics)
    ("w" "Hint or review" tutor-lsp-focus)]
   ["Stuck"
    ("s" "Solution…" tutor-lsp-reveal)
    ("e" "Easier exercise" tutor-lsp-easier)
    ("d" "Compare…" tutor-lsp-compare)
    ("R" "Reset…" tutor-lsp-reset)
    ("u" "Undo reset" tutor-lsp-undo)]
   ["Exercises"
    ("m" "Continue or start…" tutor-lsp)
    ("T" "Topics…" tutor-lsp-curriculum)
    ("S" "Status" tutor-lsp-status)
    ("p" "Learning report" tutor-lsp-report)
    ("D" "Doctor" tutor-lsp-doctor)]])

(provide 'tutor-lsp-menu)
;;; tutor-lsp-menu.el ends here
