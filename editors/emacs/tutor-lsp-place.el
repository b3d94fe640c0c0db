;;; tutor-lsp-place.el --- Exercises of the tutor on the screen  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The stub with point where its code goes, the lesson beside it or above it with
;; the section of that stub marked, and what fails beneath the code.

;;; Code:

(require 'tutor-lsp-client)

(defcustom tutor-lsp-failures t
  "Whether what fails is shown beneath the code of its stub.
Where `flymake-show-diagnostics-at-end-of-line' is on, Flymake shows it on the
line that it marks, and it is left out beneath that same line."
  :type 'boolean
  :group 'tutor-lsp)

(defface tutor-lsp-failure '((t :inherit error))
  "What fails, beneath the code of its stub."
  :group 'tutor-lsp)

(defface tutor-lsp-not-run '((t :inherit warning))
  "Why nothing was run, beneath the code of its stub."
  :group 'tutor-lsp)

(defface tutor-lsp-section '((t :inherit highlight :extend t))
  "The lesson's section of the unit that you are on."
  :group 'tutor-lsp)

(defconst tutor-lsp-place--wide 110 "Columns from which on the lesson is beside the code.")
(defconst tutor-lsp-place--code-columns 82 "Columns for code, its fringe included.")
(defconst tutor-lsp-place--code-share 0.62 "Share of a frame that code gets at most.")
(defconst tutor-lsp-place--lesson-rows 9 "Rows that a lesson above the code gets at least.")
(defconst tutor-lsp-place--failure-rows 4 "Rows that a sentence about a failure gets at most.")

;;;; Units

(defun tutor-lsp-place-focus (units)
  "The one of UNITS that the learner is working on."
  (seq-find (lambda (unit) (eq (plist-get unit :focus) t)) units))

(defun tutor-lsp-place-body (unit end)
  "The line where the code of UNIT begins, or where it ends with END."
  (or (plist-get (plist-get unit :body) (if end :endLine :line)) (plist-get unit :line)))

(defun tutor-lsp-place-line (line)
  "The beginning of LINE in the current buffer."
  (save-excursion
    (without-restriction
      (goto-char (point-min))
      (forward-line (1- line))
      (point))))

;;;; The exercise

(defun tutor-lsp-place-visit (root file line)
  "Go to LINE of FILE in the exercise in ROOT, in the window with it if any."
  (let ((buffer (find-file-noselect (expand-file-name file root)))
        (text (get-buffer-window "*tutor*")))
    ;; A hint may stand where the lesson was.
    (unless (or (null text) (get-buffer-window buffer)) (quit-window nil text))
    (if-let* ((window (get-buffer-window buffer))) (select-window window)
      (switch-to-buffer buffer)))
  (goto-char (tutor-lsp-place-line (or line 1))))

(defun tutor-lsp-place-show (root units)
  "Show the exercise in ROOT and its lesson.
Point is in the one of UNITS to begin with."
  (let ((unit (or (tutor-lsp-place-focus units) (seq-first (append units nil))))
        (lesson (find-file-noselect (expand-file-name "LESSON.md" root))))
    (delete-other-windows)
    (if (not unit) (switch-to-buffer lesson)
      (tutor-lsp-place-visit root (plist-get unit :file)
                             (tutor-lsp-place-body unit nil))
      (back-to-indentation)
      (let ((window (tutor-lsp-place--show-lesson lesson unit)))
        ;; The signature in view where both fit; else redisplay moves on to point.
        (set-window-start nil (tutor-lsp-place-line (max 1 (1- (plist-get unit :line)))) t)
        (tutor-lsp-place-mark lesson unit)
        (when window
          (set-window-point window (with-current-buffer lesson (point-min)))
          (set-window-start window (with-current-buffer lesson (point-min)))
          (if (and (equal (plist-get unit :id) (plist-get (seq-first (append units nil)) :id))
                   (equal (plist-get unit :state) "todo"))
              (tutor-lsp-place--point-down window unit)
            (tutor-lsp-place--reveal window unit)))))))

(defun tutor-lsp-place--show-lesson (lesson unit)
  "Show the buffer LESSON beside the window of UNIT, or above it in a narrow frame."
  (let* ((wide (>= (frame-width) tutor-lsp-place--wide))
         (code (min tutor-lsp-place--code-columns
                    (floor (* (frame-width) tutor-lsp-place--code-share))))
         (rows (window-total-height))
         (needed (+ 5 (- (tutor-lsp-place-body unit t) (plist-get unit :line)))))
    (display-buffer
     lesson
     (if wide `((display-buffer-reuse-window display-buffer-in-direction)
                (direction . right) (window-width . ,(- (frame-width) code)))
       `((display-buffer-reuse-window display-buffer-in-direction)
         (direction . above)
         (window-height . ,(min (/ rows 2) (max tutor-lsp-place--lesson-rows
                                                (- rows needed)))))))))

;;;; The lesson's section

(defvar-local tutor-lsp-place--section nil "Overlay on the section that is marked here.")
(defvar-local tutor-lsp-place--below nil "Overlay that says that the section is further down.")

(defun tutor-lsp-place--heading (unit)
  "Where the section of UNIT begins in the current buffer, that of the lesson."
  (when-let* ((line (plist-get (plist-get unit :lesson) :line)))
    (tutor-lsp-place-line line)))

(defun tutor-lsp-place-mark (lesson unit)
  "Mark the section of UNIT in the buffer LESSON.
Value is whether it is to be read now: it is another one than before, or
something was written for it.  Until then the introduction may be read."
  (with-current-buffer lesson
    (let* ((start (tutor-lsp-place--heading unit))
           (before (and tutor-lsp-place--section
                        (overlay-get tutor-lsp-place--section 'tutor-lsp-unit))))
      (dolist (overlay (list tutor-lsp-place--section tutor-lsp-place--below))
        (when overlay (delete-overlay overlay)))
      (when start
        (let ((end (save-excursion (goto-char start) (line-end-position))))
          (setq tutor-lsp-place--section (make-overlay start end))
          (overlay-put tutor-lsp-place--section 'tutor-lsp-unit unit)
          (overlay-put tutor-lsp-place--section 'face 'tutor-lsp-section)
          (overlay-put tutor-lsp-place--section 'after-string
                       (propertize (concat "  ◀ " (plist-get unit :stub))
                                   'face 'tutor-lsp-section))))
      (or (not (equal (plist-get before :id) (plist-get unit :id)))
          (and (equal (plist-get before :state) "todo")
               (not (equal (plist-get unit :state) "todo")))))))

(defun tutor-lsp-place--in-view-p (window start)
  "Whether the lines that begin at START are in view in WINDOW."
  (and (>= start (window-start window))
       (<= (+ 3 (count-screen-lines (window-start window) start nil window))
           (window-body-height window))))

(defun tutor-lsp-place--point-down (window unit)
  "Say on the first line in WINDOW, if seen, that the section of UNIT is below."
  (with-current-buffer (window-buffer window)
    (let ((start (tutor-lsp-place--heading unit)))
      (when (and start (= (window-start window) (point-min))
                 (not (tutor-lsp-place--in-view-p window start)))
        (let ((end (save-excursion (goto-char (point-min)) (line-end-position))))
          (setq tutor-lsp-place--below (make-overlay end end))
          (overlay-put tutor-lsp-place--below 'after-string
                       (propertize (concat "  ▼ " (plist-get unit :stub))
                                   'face 'tutor-lsp-section)))))))

(defun tutor-lsp-place--reveal (window unit)
  "Bring the section of UNIT into view in WINDOW, that of the lesson."
  (with-current-buffer (window-buffer window)
    (let ((start (tutor-lsp-place--heading unit)))
      (when (and start (not (tutor-lsp-place--in-view-p window start)))
        (set-window-point window start)
        (set-window-start window start)))))

(defun tutor-lsp-place-follow (root units)
  "Mark in the lesson in ROOT the section of the one of UNITS that is in focus."
  (when-let* ((unit (tutor-lsp-place-focus units))
              (lesson (find-buffer-visiting (expand-file-name "LESSON.md" root))))
    (let ((due (tutor-lsp-place-mark lesson unit)))
      (dolist (window (get-buffer-window-list lesson nil t))
        (cond ((not due) (tutor-lsp-place--point-down window unit))
              ((not (eq window (selected-window))) (tutor-lsp-place--reveal window unit)))))))

;;;; What fails

(defun tutor-lsp-place--lines (text width)
  "TEXT as lines of WIDTH columns.
Several blanks are part of a value: they stay, and no line ends there."
  (let* ((filler ?\ue000)
         (kept (replace-regexp-in-string "  +" (lambda (gap) (make-string (length gap) filler))
                                         text)))
    (with-temp-buffer
      (insert kept)
      (let ((fill-column width) (fill-prefix nil) (adaptive-fill-mode nil))
        (fill-region (point-min) (point-max) 'left t))
      (split-string (subst-char-in-string filler ?\s (buffer-string)) "\n" t))))

(defun tutor-lsp-place--wrapped (text indent)
  "TEXT as lines after INDENT, of the width of a window and not too many."
  (let* ((width (max 24 (- (window-max-chars-per-line) (length indent) 5)))
         (lines (tutor-lsp-place--lines text width))
         (shown (seq-take lines tutor-lsp-place--failure-rows)))
    (concat "\n" indent "↳ " (string-join shown (concat "\n" indent "  "))
            (and (nthcdr tutor-lsp-place--failure-rows lines) " …"))))

(defun tutor-lsp-place--marked (failure)
  "First line of the range of FAILURE, a diagnostic of the protocol."
  (1+ (plist-get (plist-get (plist-get failure :range) :start) :line)))

(defun tutor-lsp-place--typed (failure)
  "Line of the code that FAILURE, a diagnostic of the protocol, is about."
  (or (plist-get (plist-get (plist-get failure :data) :body) :endLine)
      (tutor-lsp-place--marked failure)))

(defun tutor-lsp-place--told-p (failure)
  "Non-nil if Flymake has the text of FAILURE on the line of its code.
The stub's first line, which Flymake marks, may be out of view where one types."
  (and (bound-and-true-p flymake-show-diagnostics-at-end-of-line)
       (= (tutor-lsp-place--typed failure) (tutor-lsp-place--marked failure))))

(defun tutor-lsp-place--draw (failure)
  "Show FAILURE, a diagnostic of the protocol, in the current buffer."
  (let ((message (plist-get failure :message))
        (last (tutor-lsp-place--typed failure)))
    (save-excursion
      (goto-char (tutor-lsp-place-line last))
      (let* ((indent (make-string (current-indentation) ?\s))
             (window (or (get-buffer-window) (selected-window)))
             (text (with-selected-window window
                     ;; The first line is the sentence; where the others say to look follows.
                     (tutor-lsp-place--wrapped (car (split-string message "\n")) indent)))
             ;; It grows with what is typed at its end, so that its text comes after that.
             (overlay (make-overlay (line-end-position) (line-end-position) nil nil t)))
        (overlay-put overlay 'tutor-lsp-failure t)
        ;; Where point is at its end, the cursor stands on that blank, behind the code.
        (overlay-put overlay 'after-string
                     (concat (propertize " " 'cursor t)
                             (propertize text 'face
                                         (if (eql (plist-get failure :severity) 1)
                                             'tutor-lsp-failure
                                           'tutor-lsp-not-run))))))))

(defun tutor-lsp-place-failures (diagnostics)
  "Show what DIAGNOSTICS of the protocol say of failures in the current buffer.
Warnings say why nothing was run."
  (without-restriction
    (remove-overlays (point-min) (point-max) 'tutor-lsp-failure t)
    (when tutor-lsp-failures
      (seq-doseq (each diagnostics)
        (when (and (equal (plist-get each :source) "tutor") (memql (plist-get each :severity) '(1 2))
                   (not (tutor-lsp-place--told-p each)))
          (tutor-lsp-place--draw each))))))

(cl-defmethod eglot-handle-notification :after
  ((_server tutor-lsp-server) (_method (eql textDocument/publishDiagnostics))
   &key uri diagnostics &allow-other-keys)
  "Show what fails in the buffer of URI: the errors of DIAGNOSTICS."
  (when-let* ((buffer (find-buffer-visiting (expand-file-name (eglot-uri-to-path uri)))))
    (with-current-buffer buffer (tutor-lsp-place-failures diagnostics))))

(provide 'tutor-lsp-place)
;;; tutor-lsp-place.el ends here
