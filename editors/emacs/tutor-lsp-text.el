;;; tutor-lsp-text.el --- Results of the tutor as text  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The server words its results.  Short ones go to the echo area; hints, reviews
;; and lists to the buffer *tutor*, beside the code.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)

(require 'tutor-lsp-keys)
(require 'tutor-lsp-words)

(declare-function flymake-diagnostic-data "flymake")

(defun tutor-lsp-text-tell (said &optional more)
  "Show the words SAID of a result in one line, followed by MORE.
What does not fit into a line is shown whole."
  (let ((line (plist-get said :oneLine)))
    (if (string-suffix-p "…" line)
        (tutor-lsp-text-whole said)
      (message "%s%s" line (or more "")))))

(defconst tutor-lsp-text--whole
  '("tutor.hint" "tutor.ask" "tutor.attempt" "tutor.review" "tutor.reveal" "tutor.status"
    "tutor.doctor" "tutor.end")
  "Commands whose results are to be read, not just glanced at.")

(defun tutor-lsp-text-show (command result)
  "Show the RESULT of COMMAND in the echo area or the buffer *tutor*."
  (let ((said (plist-get result :say)))
    (cond ((null result)
           (message "%s" (tutor-lsp-t "There is no review yet: run M-x tutor-lsp-attempt to get one")))
          ((equal command "tutor.hint") (tutor-lsp-text--hint result))
          ((member command tutor-lsp-text--whole)
           (tutor-lsp-text-whole said (tutor-lsp-text--ways command result)))
          (t (tutor-lsp-text-tell said)))))

(defun tutor-lsp-text--ways (command result)
  "Keys that lead on from the RESULT of COMMAND: after the last hint other ones."
  (pcase command
    ((or "tutor.hint" "tutor.ask")
     (if (< (or (plist-get result :level) 1) 3) '(h)
       (cl-loop for way across (or (plist-get result :actions) [])
                for key = (alist-get (plist-get way :command)
                                     '(("tutor.reveal" . s) ("tutor.ask" . \?)
                                       ("tutor.start" . e))
                                     nil nil #'equal)
                when key collect key)))
    ("tutor.attempt" (if (equal (plist-get (plist-get result :report) :outcome) "passed") '(n d)
                       '(h)))))

(defvar-keymap tutor-lsp-text-mode-map
  :doc "Keymap of the buffer *tutor*: the tutor's keys without their prefix."
  :parent special-mode-map
  "s" 'tutor-lsp-reveal "e" 'tutor-lsp-easier "a" 'tutor-lsp-attempt "c" 'tutor-lsp-check
  "d" 'tutor-lsp-compare "l" 'tutor-lsp-lesson "o" 'tutor-lsp-output "w" 'tutor-lsp-focus
  "h" 'tutor-lsp-hint "n" 'tutor-lsp-next "?" 'tutor-lsp-ask)

(define-derived-mode tutor-lsp-text-mode special-mode "Tutor"
  "Mode for the tutor's texts."
  (visual-line-mode 1))

(defconst tutor-lsp-text--tall 24
  "Rows from which on a lesson keeps the upper part of its window.")

(defun tutor-lsp-text--lesson-window ()
  "The window of this frame with a lesson, unless that is the selected one."
  (seq-find (lambda (window)
              (and (not (eq window (selected-window)))
                   (equal "LESSON.md" (file-name-nondirectory
                                       (or (buffer-file-name (window-buffer window)) "")))))
            (window-list nil 'no-minibuffer)))

(defun tutor-lsp-text--by-lesson (buffer alist)
  "Show BUFFER where the lesson is, so that the code stays as it is.
A tall lesson keeps the upper part of its window; otherwise quitting BUFFER
brings the lesson back.  ALIST is that of `display-buffer'."
  (when-let* ((lesson (tutor-lsp-text--lesson-window)))
    (if (>= (window-total-height lesson) tutor-lsp-text--tall)
        (display-buffer-in-direction buffer `((direction . below) (window . ,lesson)
                                              (window-height . fit-window-to-buffer) ,@alist))
      (display-buffer-record-window 'reuse lesson buffer)
      (set-window-buffer lesson buffer)
      lesson)))

(defvar tutor-lsp-text--early nil "Whether a hint was shown that a closer one may replace.")

(defun tutor-lsp-text-early (said)
  "Show the words SAID of a hint that a closer one may replace.
More of an answer that is no longer looked at only takes its place."
  (if (and tutor-lsp-text--early (not (get-buffer-window "*tutor*" t)))
      (tutor-lsp-text--fill said nil)
    (tutor-lsp-text-whole said))
  (setq tutor-lsp-text--early t))

(defun tutor-lsp-text-asked ()
  "A hint is asked for: nobody has turned away from it."
  (setq tutor-lsp-text--early nil))

(defun tutor-lsp-text--hint (result)
  "Show the hint RESULT; only tell of it if the early one is no longer looked at."
  (let ((said (plist-get result :say))
        (ways (tutor-lsp-text--ways "tutor.hint" result))
        (left (and tutor-lsp-text--early (not (get-buffer-window "*tutor*" t)))))
    (setq tutor-lsp-text--early nil)
    (cond ((not left) (tutor-lsp-text-whole said ways))
          ((not (equal (plist-get result :source) "author"))
           (tutor-lsp-text--fill said ways)
           (message "%s" (tutor-lsp-t "There is a closer hint now, in .tutor/coach.md."))))))

(defun tutor-lsp-text-whole (said &optional ways)
  "Show the words SAID of a result beside the code; point stays where it is.
WAYS are the keys that lead on from there."
  (tutor-lsp-text--fill said ways)
  (tutor-lsp-text--display))

(defun tutor-lsp-text--fill (said ways)
  "Put the words SAID of a result, and the keys WAYS, into the buffer *tutor*."
  (with-current-buffer (get-buffer-create "*tutor*")
    (unless (derived-mode-p 'tutor-lsp-text-mode) (tutor-lsp-text-mode))
    (setq header-line-format (string-replace "%" "%%" (tutor-lsp-keys-line ways)))
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert (string-trim-right (plist-get said :markdown)) "\n")
      (goto-char (point-min)))))

(defun tutor-lsp-text--display ()
  "Show the buffer *tutor* from its beginning."
  (when-let* ((window (display-buffer
                       "*tutor*"
                       '((display-buffer-reuse-window tutor-lsp-text--by-lesson
                                                      display-buffer-at-bottom)
                         (window-height . fit-window-to-buffer)))))
    (set-window-point window 1)
    (set-window-start window 1)))

(defun tutor-lsp-focus ()
  "Go to the hint or review that was shown last, or from there back to the code."
  (interactive)
  (cond ((derived-mode-p 'tutor-lsp-text-mode) (select-window (get-mru-window nil nil t)))
        ((get-buffer "*tutor*")
         (tutor-lsp-text--display)
         (select-window (get-buffer-window "*tutor*")))
        (t (user-error "%s" (tutor-lsp-t
                            "There is no hint or review yet: M-x tutor-lsp-hint gives one")))))

(defun tutor-lsp-text-output (report said)
  "What was SAID of a run, and what its REPORT has about each test."
  (let ((parts (list (string-trim (plist-get said :markdown)))))
    (seq-doseq (test (plist-get report :tests))
      (let ((printed (string-trim (or (plist-get test :output) "")))
            (fails (not (member (plist-get test :outcome) '("passed" "todo" "not_run")))))
        (when (or fails (not (string-empty-p printed)))
          (push (format "## %s%s" (plist-get test :name)
                        (if (plist-get test :file)
                            (format " (%s:%s)" (plist-get test :file) (plist-get test :line))
                          ""))
                parts)
          (when (plist-get test :message) (push (plist-get test :message) parts))
          (unless (string-empty-p printed) (push printed parts)))))
    (when-let* ((command (plist-get report :command)) ((not (string-empty-p command))))
      (push command parts))
    (list :markdown (string-join (nreverse parts) "\n\n"))))

(defun tutor-lsp-text-codes (diagnostics)
  "Error codes that other servers than the tutor's name in Flymake's DIAGNOSTICS."
  (cl-loop for diagnostic in diagnostics
           for said = (alist-get 'eglot-lsp-diag (flymake-diagnostic-data diagnostic))
           when (and (plist-get said :code) (not (equal (plist-get said :source) "tutor")))
           collect (format "%s" (plist-get said :code))))

(provide 'tutor-lsp-text)
;;; tutor-lsp-text.el ends here
