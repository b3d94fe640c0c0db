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

;;;; What the doctor offers to mend

(defun tutor-lsp-ways--type (line)
  "Type LINE into a shell, where you press RET."
  (pop-to-buffer (shell "*tutor-shell*"))
  (goto-char (point-max))
  ;; A line end in it, or another key, would be pressed, too.
  (insert (replace-regexp-in-string "[[:cntrl:]]" " " line)))

(defun tutor-lsp-ways--do (mend home)
  "Open, type or run what MEND names; settings are in the tutor's HOME."
  (pcase (plist-get mend :kind)
    ("page" (browse-url (plist-get mend :url)))
    ("line" (tutor-lsp-ways--type (plist-get mend :line)))
    ("file" (find-file-other-window (plist-get mend :file)))
    ("setting" (if (equal "home" (plist-get mend :setting))
                   (customize-variable 'tutor-lsp-settings)
                 (find-file-other-window (expand-file-name "config.toml" home))))
    ("command" (tutor-lsp--ask (plist-get mend :command) (plist-get mend :argument)))))

(defun tutor-lsp-ways-mend (found)
  "Show what the doctor FOUND.  The lines of what can be mended are buttons.
Where there are any, point goes to the first one."
  (tutor-lsp-text-whole (plist-get found :say))
  (when-let* ((remedies (append (plist-get found :remedies) nil))
              (window (get-buffer-window "*tutor*")))
    (select-window window)
    (let ((inhibit-read-only t) (home (plist-get found :home)))
      (goto-char (point-min))
      (cl-loop for remedy in remedies
               for number from 1
               while (re-search-forward (format "^%d\\. .*" number) nil t)
               do (let ((mend (plist-get remedy :mend)))
                    (make-text-button (match-beginning 0) (match-end 0)
                                      'help-echo (plist-get remedy :message)
                                      'action (lambda (_) (tutor-lsp-ways--do mend home))))))
    (goto-char (point-min))
    (forward-button 1 nil nil t)))

(provide 'tutor-lsp-ways)
;;; tutor-lsp-ways.el ends here
