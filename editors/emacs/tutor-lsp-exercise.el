;;; tutor-lsp-exercise.el --- The exercise in use  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Which exercise is meant, and what the server said of each.  Nothing here asks
;; the server.

;;; Code:

(require 'seq)
(require 'subr-x)

(defvar tutor-lsp--session nil "The exercise last opened: what tutor/sessionReady said.")
(defvar tutor-lsp--last nil "Folder of the exercise last used, links resolved.")
(defvar tutor-lsp--folders nil "Folders of exercises by session id, links resolved.")
(defvar tutor-lsp--units nil "Latest known units by session id.")
(defvar tutor-lsp--standings nil "Progress of exercises in words, by session id.")
(defvar tutor-lsp--reports nil "Last reports by session id, each with what was said of it.")

(defvar-local tutor-lsp--folder nil
  "Folder of the exercise of this buffer's file, links resolved.")
(put 'tutor-lsp--folder 'permanent-local t)

(defun tutor-lsp-root (&optional path)
  "Folder of the exercise that PATH or the current buffer's file lies in."
  (when-let* ((path (or path buffer-file-name))
              (root (locate-dominating-file path ".tutor/exercise.json")))
    (expand-file-name root)))

(defun tutor-lsp-exercise-folder (root)
  "ROOT in the form in which folders of exercises are kept and compared."
  (and root (file-name-as-directory (file-truename root))))

(defun tutor-lsp-exercise-here ()
  "Folder of the exercise in use: this buffer's, the last one, or this folder's."
  (or (tutor-lsp-root) tutor-lsp--last (tutor-lsp-root default-directory)))

(defun tutor-lsp-exercise-use (root)
  "Take note that the exercise in ROOT is in use now."
  (setq tutor-lsp--last (tutor-lsp-exercise-folder root)))

(defun tutor-lsp-exercise-learn (session root units)
  "Keep the UNITS of SESSION, an id, whose exercise is in ROOT."
  (setf (alist-get session tutor-lsp--units nil nil #'equal) units
        (alist-get session tutor-lsp--folders nil nil #'equal) (tutor-lsp-exercise-folder root)))

(defun tutor-lsp-exercise-kept (kept folder)
  "What is KEPT by session id of the exercise in FOLDER, links resolved."
  (seq-some (pcase-lambda (`(,session . ,place))
              (and (equal place folder) (cdr (assoc session kept))))
            tutor-lsp--folders))

(defun tutor-lsp-exercise-units ()
  "The last known units of the exercise in use."
  (tutor-lsp-exercise-kept tutor-lsp--units
                           (tutor-lsp-exercise-folder (tutor-lsp-exercise-here))))

(defun tutor-lsp-exercise-report ()
  "The last report of the exercise in use, with what was said of it."
  (tutor-lsp-exercise-kept tutor-lsp--reports
                           (tutor-lsp-exercise-folder (tutor-lsp-exercise-here))))

(provide 'tutor-lsp-exercise)
;;; tutor-lsp-exercise.el ends here
