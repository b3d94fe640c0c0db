;;; tutor-lsp-ways.el --- Shorter ways to what the tutor offers  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Commands for keys: parts of the exercise, the output of the last run, and an
;; easier exercise where the server offers one.

;;; Code:

(require 'tutor-lsp-exercise)
(require 'tutor-lsp-place)
(require 'tutor-lsp-text)

(declare-function tutor-lsp-open "tutor-lsp")
(declare-function tutor-lsp-reset "tutor-lsp")
(declare-function tutor-lsp--ask "tutor-lsp")
(declare-function tutor-lsp--units-before "tutor-lsp")

(defun tutor-lsp-lesson ()
  "Go to the lesson's section of the unit that you are working on."
  (interactive)
  (tutor-lsp-open "lesson"))

(defun tutor-lsp-test ()
  "Go to the test of the unit that you are working on."
  (interactive)
  (tutor-lsp-open "test"))

(defun tutor-lsp-undo ()
  "Undo the last reset."
  (interactive)
  (tutor-lsp-reset '(:undo t)))

(defun tutor-lsp-output ()
  "Show the last run whole, with everything that your code printed."
  (interactive)
  (pcase (tutor-lsp-exercise-report)
    ('nil (user-error "Nothing was run yet: M-x tutor-lsp-check runs the tests"))
    (`(,report . ,said) (tutor-lsp-text-whole (tutor-lsp-text-output report said)))))

(defun tutor-lsp-easier ()
  "Start an easier exercise first, where one is offered: after the last hint."
  (interactive)
  (let* ((units (tutor-lsp-exercise-units))
         (unit (or (car (tutor-lsp--units-before units)) (tutor-lsp-place-focus units)))
         (way (seq-find (lambda (way) (equal "tutor.start" (plist-get way :command)))
                        (plist-get unit :actions))))
    (unless way
      (user-error "An easier exercise is offered after the last hint, if there is one"))
    (tutor-lsp--ask "tutor.start" (plist-get way :argument))))

(provide 'tutor-lsp-ways)
;;; tutor-lsp-ways.el ends here
