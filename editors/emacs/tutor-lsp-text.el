;;; tutor-lsp-text.el --- Results of the tutor as text  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Short results go to the echo area; hints, reviews and lists to the buffer
;; *tutor*, beside the code.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)

(declare-function flymake-diagnostic-data "flymake")

(defun tutor-lsp-text-typed (text)
  "TEXT for any editor in words that can be typed in Emacs.
Thus tutor.start becomes M-x tutor-lsp-start; names of settings and files stay."
  (with-temp-buffer
    (insert (or text ""))
    (goto-char (point-min))
    (let ((case-fold-search nil))
      (while (re-search-forward
              "\\(?:\\`\\|[^[:word:]_/.-]\\)\\(tutor\\.\\([a-z]+\\)\\)" nil t)
        (when (and (commandp (intern-soft (concat "tutor-lsp-" (match-string 2))))
                   (not (looking-at-p "[[:word:]_-]\\|\\.[[:word:]]")))
          (replace-match (concat "M-x tutor-lsp-" (match-string 2)) t t nil 1))))
    (buffer-string)))

(defun tutor-lsp-text-say (text)
  "Say TEXT in the echo area, in words that can be typed."
  (message "%s" (tutor-lsp-text-typed text)))

(defconst tutor-lsp-text--states
  '(("passing" "✓" "passes") ("failing" "✗" "not yet") ("todo" "○" "to do")
    ("stale" "…" "before this edit"))
  "Mark and words of the states of a unit.")

(defun tutor-lsp-text-tally (units)
  "How many of UNITS pass, and which one is next."
  (let ((passing (seq-count (lambda (unit)
                              (or (equal (plist-get unit :state) "passing")
                                  (and (eq (plist-get unit :old) t)
                                       (eq (plist-get unit :passed) t))))
                            units))
        (old (seq-some (lambda (unit) (eq (plist-get unit :old) t)) units))
        (focus (seq-find (lambda (unit) (eq (plist-get unit :focus) t)) units)))
    (concat (format "tutor %d/%d" passing (length units)) (and old " before this edit")
            (and focus (< passing (length units)) (concat " ▶ " (plist-get focus :stub))))))

(defun tutor-lsp-text-report (report)
  "One sentence about REPORT."
  (let* ((tests (append (plist-get report :tests) nil))
         (passed (seq-count (lambda (test) (equal (plist-get test :outcome) "passed")) tests))
         (first (seq-find (lambda (test)
                            (not (member (plist-get test :outcome) '("passed" "todo" "not_run"))))
                          tests)))
    (pcase (plist-get report :outcome)
      ("passed" (format "All %d tests pass." passed))
      ("build_error"
       (let ((broken (seq-first (plist-get report :buildErrors))))
         (format "Does not build yet: %s:%s: %s" (plist-get broken :file)
                 (plist-get broken :line) (plist-get broken :message))))
      ("cancelled" "Stopped: nothing was counted.")
      (_ (if (null tests) (or (plist-get report :reason) "The tests did not run.")
           (concat (format "Not yet: %d of %d tests pass." passed (length tests))
                   (and first (concat " " (or (plist-get first :message)
                                              (plist-get first :name))))))))))

(defun tutor-lsp-text--next (items)
  "What could come next: ITEMS."
  (and (> (length items) 0)
       (concat "Next:\n"
               (mapconcat (lambda (item) (format "- %s (%s)" (plist-get item :title)
                                                 (plist-get item :reason)))
                          items "\n"))))

(defun tutor-lsp-text--review (review)
  "The lines of REVIEW."
  (tutor-lsp-text--paragraphs
   (format "# %s · %s of 100" (if (equal (plist-get review :verdict) "PASS") "Passed" "Not yet")
           (plist-get review :score))
   (plist-get review :summary)
   (mapconcat (lambda (finding)
                (format "- %s:%s %s" (plist-get finding :file) (plist-get finding :line)
                        (plist-get finding :claim)))
              (plist-get review :findings) "\n")
   (and (plist-get review :improvement) (concat "Try next: " (plist-get review :improvement)))
   (and (plist-get review :question) (concat "To think about: " (plist-get review :question)))))

(defun tutor-lsp-text--paragraphs (&rest parts)
  "PARTS that say something, with empty lines between."
  (string-join (seq-remove (lambda (part) (or (null part) (string-empty-p part))) parts) "\n\n"))

(defun tutor-lsp-text--unbuilt-p (result)
  "Whether the attempt RESULT was not counted since its code does not build."
  (and (plist-get result :note)
       (equal (plist-get (plist-get result :report) :outcome) "build_error")))

(defun tutor-lsp-text--attempt (result)
  "The lines of an attempt's RESULT."
  (let ((review (plist-get result :review)) (mastery (plist-get result :mastery)))
    (tutor-lsp-text--paragraphs
     (if review (tutor-lsp-text--review review)
       (tutor-lsp-text--paragraphs
        (and (not (tutor-lsp-text--unbuilt-p result))
             (tutor-lsp-text-report (plist-get result :report)))
        (and (plist-get result :reviewError)
             (format "The attempt is kept, its review did not come: %s"
                     (plist-get result :reviewError)))))
     (and mastery (not (eql (plist-get mastery :before) (plist-get mastery :after)))
          (format "Mastery of %s: %d → %d of 3" (plist-get mastery :node)
                  (plist-get mastery :before) (plist-get mastery :after)))
     (plist-get result :note)
     (and (equal (plist-get review :verdict) "PASS")
          (tutor-lsp-text--next (plist-get result :next))))))

(defun tutor-lsp-text--unit (unit)
  "One line about UNIT."
  (pcase-let ((`(,mark ,words) (cdr (assoc (plist-get unit :state) tutor-lsp-text--states))))
    (format "%s %s %s · %s · %s" (if (eq (plist-get unit :focus) t) "▶" " ") mark
            (plist-get unit :id) (plist-get unit :stub) (or (plist-get unit :words) words))))

(defun tutor-lsp-text-choice (unit)
  "UNIT as a choice of the picker: its stub, with state and id beside it."
  (pcase-let ((`(,mark ,words) (cdr (assoc (plist-get unit :state) tutor-lsp-text--states))))
    (list (plist-get unit :stub) (list :unit (plist-get unit :id))
          (concat mark " ") (format "%s · %s" (plist-get unit :id) words))))

(defun tutor-lsp-text--status (status)
  "The lines of STATUS."
  (let ((session (plist-get status :session)) (backend (plist-get status :backend)))
    (tutor-lsp-text--paragraphs
     (cond ((plist-get session :error) (plist-get (plist-get session :error) :message))
           (session (format "# %s (%s)\n%s" (plist-get session :title)
                            (plist-get session :language) (plist-get session :workspace)))
           (t "No exercise is open.  M-x tutor-lsp-start begins one."))
     (mapconcat #'tutor-lsp-text--unit (plist-get status :units) "\n")
     (mapconcat (lambda (job)
                  (if (equal (plist-get job :state) "running")
                      (format "%s: %s (%s%%)" (plist-get job :title) (plist-get job :message)
                              (plist-get job :percent))
                    ""))
                (plist-get status :jobs) "")
     (format "Exercises come from: %s (%s)" (plist-get backend :name) (plist-get backend :why))
     (format "Folder: %s" (plist-get status :home)))))

(defun tutor-lsp-text--doctor (result)
  "The lines of the doctor's RESULT."
  (mapconcat (lambda (tool)
               (let ((works (eq (plist-get tool :works) t)))
                 (format "%s %s %s" (if works "✓" "✗") (plist-get tool :name)
                         (or (and works (plist-get tool :version)) (plist-get tool :remedy) ""))))
             (plist-get result :tools) "\n"))

(defun tutor-lsp-text--files (done result)
  "DONE with the files of RESULT."
  (let ((files (append (plist-get result :files) nil)))
    (if files (format "%s: %s." done (string-join files ", ")) "Nothing had changed.")))

(defun tutor-lsp-text-show (command result)
  "Show the RESULT of COMMAND in the echo area or the buffer *tutor*."
  (pcase command
    ("tutor.check" (tutor-lsp-text-say (tutor-lsp-text-report result)))
    ("tutor.next" (tutor-lsp-text-say (plist-get result :ended)))
    ("tutor.cancel"
     (message (if (eq (plist-get result :cancelled) t) "Stopped." "Nothing is going on.")))
    ("tutor.reset"
     (message "%s" (tutor-lsp-text--files (if (eq (plist-get result :undone) t) "Yours again"
                                            "Put back to the stubs")
                                          result)))
    ("tutor.restore" (message "%s" (tutor-lsp-text--files "Put back as it was given" result)))
    ("tutor.claim"
     (message "%s: %s" (plist-get result :title)
              (if (eq (plist-get result :claimed) t) "known" "not marked as known")))
    ("tutor.polish" (message "No offer to finish any more."))
    ((or "tutor.hint" "tutor.ask")
     (tutor-lsp-text-buffer
      (tutor-lsp-text--paragraphs
       (if (plist-get result :title) (concat "# " (plist-get result :title))
         (format "# Hint %d · %s" (plist-get result :level) (plist-get result :unit)))
       (plist-get result :text)
       (and (plist-get result :code) (format "```\n%s\n```" (plist-get result :code))))))
    ("tutor.attempt" (tutor-lsp-text-buffer (tutor-lsp-text--attempt result)))
    ("tutor.review"
     (if result (tutor-lsp-text-buffer (tutor-lsp-text--review result))
       (message "There is no review yet: M-x tutor-lsp-attempt asks for one")))
    ("tutor.reveal"
     (tutor-lsp-text-buffer (format "# Solution · %s\n\n```\n%s\n```" (plist-get result :unit)
                                    (plist-get result :solution))))
    ("tutor.status" (tutor-lsp-text-buffer (tutor-lsp-text--status result)))
    ("tutor.doctor" (tutor-lsp-text-buffer (tutor-lsp-text--doctor result)))
    ("tutor.end"
     (tutor-lsp-text-buffer
      (tutor-lsp-text--paragraphs (plist-get result :summary)
                                  (tutor-lsp-text--next (plist-get result :recommendations)))))))

(define-derived-mode tutor-lsp-text-mode special-mode "Tutor"
  "For what the tutor says."
  (visual-line-mode 1))

(defun tutor-lsp-text-buffer (text)
  "Show TEXT beside the code; point stays where it is."
  (with-current-buffer (get-buffer-create "*tutor*")
    (unless (derived-mode-p 'tutor-lsp-text-mode) (tutor-lsp-text-mode))
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert (string-trim-right (tutor-lsp-text-typed text)) "\n")
      (goto-char (point-min)))
    (display-buffer (current-buffer)
                    '((display-buffer-reuse-window display-buffer-at-bottom)
                      (window-height . fit-window-to-buffer)))))

(defun tutor-lsp-text-codes (diagnostics)
  "Error codes that other servers than the tutor's name in Flymake's DIAGNOSTICS."
  (cl-loop for diagnostic in diagnostics
           for said = (alist-get 'eglot-lsp-diag (flymake-diagnostic-data diagnostic))
           when (and (plist-get said :code) (not (equal (plist-get said :source) "tutor")))
           collect (format "%s" (plist-get said :code))))

(provide 'tutor-lsp-text)
;;; tutor-lsp-text.el ends here
