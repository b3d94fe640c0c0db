;;; tutor-lsp-ways.el --- Shorter ways to what the tutor offers  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Commands that go somewhere or bring something back: parts of the exercise, what
;; was given, the output of the last run, an easier exercise where there is one.

;;; Code:

(require 'tutor-lsp-exercise)
(require 'tutor-lsp-pick)
(require 'tutor-lsp-place)
(require 'tutor-lsp-text)
(require 'tutor-lsp-words)

(declare-function tutor-lsp-reset "tutor-lsp")
(declare-function tutor-lsp--ask "tutor-lsp")
(declare-function tutor-lsp--units-before "tutor-lsp")

(defun tutor-lsp-restore (argument)
  "Bring back what was given of an exercise, or your record.
Or continue without what the record lost.
From Lisp, ARGUMENT is that of the server's command, nil for tests and lesson."
  (interactive
   (list (plist-get
          (tutor-lsp-pick
           (tutor-lsp-t "Restore")
           (list (list :label (tutor-lsp-t "exercise")
                       :detail (tutor-lsp-t "tests and lesson as given"))
                 (list :label (tutor-lsp-t "record")
                       :detail (tutor-lsp-t "your record from its backup")
                       :argument '(:record t))
                 (list :label (tutor-lsp-t "dismiss")
                       :detail (tutor-lsp-t "continue without what your record lost")
                       :argument '(:record t :dismiss t))))
          :argument)))
  (tutor-lsp--ask "tutor.restore" argument))

(defun tutor-lsp-open (target)
  "Go to TARGET: lesson, stub, test or coach, of the unit that you are working on."
  (interactive
   (list (plist-get (tutor-lsp-pick (tutor-lsp-t "Go to")
                                    (list (list :label (tutor-lsp-t "lesson") :target "lesson")
                                          (list :label (tutor-lsp-t "stub") :target "stub")
                                          (list :label (tutor-lsp-t "test") :target "test")
                                          (list :label (tutor-lsp-t "coach") :target "coach")))
                    :target)))
  (tutor-lsp--ask "tutor.open" (list :target target)))

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
    ('nil (user-error "%s" (tutor-lsp-t
                             "Nothing was run yet: M-x tutor-lsp-check runs the tests")))
    (`(,report . ,said) (tutor-lsp-text-whole (tutor-lsp-text-output report said)))))

(defun tutor-lsp-easier ()
  "Start an easier exercise first, where one is offered: after the last hint."
  (interactive)
  (let* ((units (tutor-lsp-exercise-units))
         (unit (or (car (tutor-lsp--units-before units)) (tutor-lsp-place-focus units)))
         (way (seq-find (lambda (way) (equal "tutor.start" (plist-get way :command)))
                        (plist-get unit :actions))))
    (unless way
      (user-error "%s" (tutor-lsp-t
                        "An easier exercise is offered after the last hint, if there is one")))
    (tutor-lsp--ask "tutor.start" (plist-get way :argument))))

(provide 'tutor-lsp-ways)
;;; tutor-lsp-ways.el ends here
