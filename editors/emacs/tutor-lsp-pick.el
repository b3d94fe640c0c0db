;;; tutor-lsp-pick.el --- Choosing what to learn  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Continue, a recommendation, the curriculum, a topic of one's own: by
;; `completing-read', each with state, minutes and advice beside its title.
;; Any part of a title matches.

;;; Code:

(require 'tutor-lsp-client)

(declare-function tutor-lsp--ask "tutor-lsp")
(defvar tutor-lsp-language)

(defconst tutor-lsp-pick--interfaces
  '(vertico-mode fido-mode icomplete-mode mct-mode selectrum-mode)
  "Modes that show candidates by themselves and keep `completing-read-default'.")

;; What a package may say of its own category; the user's overrides win.
(add-to-list 'completion-category-defaults '(tutor-lsp (styles substring)))

(defun tutor-lsp-pick-table (choices)
  "CHOICES as a completion table in their order, the best first.
Each is (TITLE VALUE MARK NOTE): MARK is shown before the title, NOTE behind it,
and titles alone are matched."
  (lambda (text predicate action)
    (if (eq action 'metadata)
        `(metadata (category . tutor-lsp) (display-sort-function . identity)
                   (cycle-sort-function . identity)
                   (affixation-function
                    . ,(lambda (titles) (tutor-lsp-pick--beside titles choices))))
      (complete-with-action action choices text predicate))))

(defun tutor-lsp-pick--beside (titles choices)
  "TITLES of CHOICES, each with what is shown before and behind it."
  (let ((width (apply #'max 0 (mapcar #'string-width titles))))
    (mapcar (lambda (title)
              (pcase-let ((`(,mark ,note) (cddr (assoc title choices))))
                (list title (or mark "")
                      (if (member note '(nil "")) ""
                        (concat (make-string (+ 2 (- width (string-width title))) ?\s) note)))))
            titles)))

(defun tutor-lsp-pick-read (prompt choices &optional default)
  "The title of one of CHOICES, read with PROMPT; DEFAULT if nothing is typed.
The list is there at once, also where Emacs would wait for TAB."
  (let ((completion-ignore-case t)
        (completions-format 'one-column)
        (waits (and (eq completing-read-function #'completing-read-default)
                    (not (seq-some (lambda (mode) (and (boundp mode) (symbol-value mode)))
                                   tutor-lsp-pick--interfaces)))))
    (minibuffer-with-setup-hook
        (:append (lambda () (when waits (tutor-lsp--silently #'minibuffer-completion-help))))
      (completing-read prompt (tutor-lsp-pick-table choices) nil t nil nil default))))

(defun tutor-lsp-pick (prompt choices)
  "The value of one of CHOICES, chosen with PROMPT; the first if none is typed.
CHOICES are as for `tutor-lsp-pick-table', but each may have a fifth element,
which tells titles apart that come twice."
  (let* ((choices (tutor-lsp-pick--distinct choices))
         (first (caar choices)))
    (cadr (or (assoc (tutor-lsp-pick-read (format-prompt prompt first) choices first) choices)
              (user-error "Nothing was chosen")))))

(defun tutor-lsp-pick--distinct (choices)
  "CHOICES with titles of which each comes once."
  (let ((titles (mapcar #'car choices)) (seen nil))
    (mapcar (lambda (choice)
              (let* ((title (car choice))
                     (twice (member title (cdr (member title titles))))
                     (title (if (and twice (nth 4 choice)) (format "%s (%s)" title (nth 4 choice))
                              title))
                     (times (cl-incf (alist-get title seen 0 nil #'equal))))
                (cons (if (> times 1) (format "%s<%d>" title times) title) (cdr choice))))
            choices)))

(defun tutor-lsp-pick--joined (&rest parts)
  "PARTS that say something, with dots between."
  (string-join (seq-remove (lambda (part) (or (null part) (equal part ""))) parts) " · "))

(defun tutor-lsp-pick--true (plist key)
  "Whether KEY is set and true in PLIST."
  (let ((value (plist-get plist key))) (and value (not (eq value :json-false)))))

(defun tutor-lsp-pick--minutes (node)
  "How long NODE takes, in words."
  (and (plist-get node :minutes) (format "%d min" (plist-get node :minutes))))

(defun tutor-lsp-pick--node (node nodes &optional language)
  "NODE, one of NODES, as a choice: with state, mastery, advice, and LANGUAGE."
  (let ((lacking (mapcar (lambda (id)
                           (let ((other (seq-find (lambda (other) (equal (plist-get other :id) id))
                                                  nodes)))
                             (or (plist-get other :title) id)))
                         (plist-get node :missingPrerequisites)))
        (known (tutor-lsp-pick--true node :claimed)))
    (list (plist-get node :title) node
          (if (or known (tutor-lsp-pick--true node :passed)) "✓ " "○ ")
          (tutor-lsp-pick--joined
           language
           (if known "known" (format "%d of 3" (or (plist-get node :mastery) 0)))
           (unless (equal (plist-get node :standing) "not begun") (plist-get node :standing))
           (tutor-lsp-pick--minutes node)
           (and (tutor-lsp-pick--true node :due) "due for review")
           (and lacking (concat "builds on " (string-join lacking ", ")))
           (unless (tutor-lsp-pick--true node :openable) "with a model"))
          (plist-get node :language))))

(defun tutor-lsp-pick--language (curriculum)
  "The preferred language of CURRICULUM, or the one chosen."
  (let ((languages (append (plist-get curriculum :languages) nil)))
    (cond ((member tutor-lsp-language languages) tutor-lsp-language)
          ((cdr languages)
           (tutor-lsp-pick "Which language"
                           (mapcar (lambda (language) (list language language)) languages)))
          (t (car languages)))))

(defun tutor-lsp-pick--start (node)
  "Start NODE."
  (tutor-lsp--ask "tutor.start" (list :language (plist-get node :language)
                                      :node (plist-get node :id))))

;;;###autoload
(defun tutor-lsp-curriculum (&optional language)
  "Choose a topic of LANGUAGE to start."
  (interactive)
  (let* ((curriculum (tutor-lsp-execute-now "tutor.curriculum"))
         (language (or language (tutor-lsp-pick--language curriculum)))
         (nodes (seq-filter (lambda (node) (equal (plist-get node :language) language))
                            (plist-get curriculum :nodes)))
         (sorted (append (seq-filter (lambda (n) (tutor-lsp-pick--true n :openable)) nodes)
                         (seq-remove (lambda (n) (tutor-lsp-pick--true n :openable)) nodes))))
    (tutor-lsp-pick--start
     (tutor-lsp-pick (format "Topic of %s" language)
                     (mapcar (lambda (node) (tutor-lsp-pick--node node nodes)) sorted)))))

;;;###autoload
(defun tutor-lsp-topic (topic language)
  "Start an exercise on TOPIC, in your own words, in LANGUAGE."
  (interactive
   (list (read-string "What do you want to practise? ")
         (tutor-lsp-pick--language (tutor-lsp-execute-now "tutor.curriculum"))))
  (when (string-blank-p topic) (user-error "No topic was given"))
  (tutor-lsp--ask "tutor.start" (list :topic (string-trim topic) :language language)))

(defun tutor-lsp-pick--session (session)
  "SESSION as a choice: with language, progress, state and folder."
  (let ((folder (abbreviate-file-name (or (plist-get session :workspace) ""))))
    (list (plist-get session :title) session
          (if (tutor-lsp-pick--true session :active) "▶ " "  ")
          (tutor-lsp-pick--joined
           (plist-get session :language)
           (tutor-lsp-pick--progress session)
           (and (tutor-lsp-pick--true session :passed) "passed")
           (and (plist-get session :endedAt) "ended")
           (if (string-empty-p (or (plist-get session :proven) "")) "" "proven")
           (if (tutor-lsp-pick--true session :missing)
               (format "its folder is gone: %s" folder)
             folder))
          (plist-get session :folder))))

(defun tutor-lsp-pick--progress (session)
  "How many units of SESSION pass, in words; nil where nothing is known of them."
  (let ((units (or (plist-get session :units) 0))
        (standing (plist-get session :standing)))
    (if (eq (plist-get standing :old) t)
        (plist-get standing :words)
      (and (> units 0) (format "%d of %d units pass" (plist-get session :unitsPassing) units)))))

;;;###autoload
(defun tutor-lsp-sessions ()
  "Choose a session to go on with."
  (interactive)
  (let ((sessions (append (tutor-lsp-execute-now "tutor.sessions") nil)))
    (unless sessions (user-error "There is no session yet: M-x tutor-lsp-start begins one"))
    (let ((chosen (tutor-lsp-pick "Go on with" (mapcar #'tutor-lsp-pick--session sessions))))
      (tutor-lsp--ask "tutor.resume" (list :session (plist-get chosen :id))))))

;;;###autoload
(defun tutor-lsp-resume ()
  "Go on with the session that was last in use."
  (interactive)
  (tutor-lsp--ask "tutor.resume"))

;;;###autoload
(defun tutor-lsp-claim (&optional forget)
  "\"I know this\": choose a topic that is not recommended any more.
With a prefix argument FORGET, take that back."
  (interactive "P")
  (let* ((nodes (append (plist-get (tutor-lsp-execute-now "tutor.curriculum") :nodes) nil))
         (node (tutor-lsp-pick "I know this"
                               (mapcar (lambda (node)
                                         (tutor-lsp-pick--node node nodes
                                                               (plist-get node :language)))
                                       nodes))))
    (tutor-lsp--ask "tutor.claim" (list :node (plist-get node :id)
                                        :known (if forget :json-false t)))))

(defun tutor-lsp-pick--first-list ()
  "Choices: continue, recommendations, browse, one's own topic."
  (let* ((curriculum (tutor-lsp-execute-now "tutor.curriculum"))
         (open (seq-remove (lambda (session) (or (plist-get session :endedAt)
                                                 (tutor-lsp-pick--true session :passed)
                                                 (tutor-lsp-pick--true session :missing)))
                           (tutor-lsp-execute-now "tutor.sessions")))
         (session (or (seq-find (lambda (s) (tutor-lsp-pick--true s :active)) open) (car open)))
         (language (or tutor-lsp-language (plist-get session :language)))
         (nodes (plist-get curriculum :nodes)))
    (append
     (and session
          (list (list (concat "Continue: " (plist-get session :title))
                      (lambda () (tutor-lsp--ask "tutor.resume"
                                                 (list :session (plist-get session :id))))
                      "" (tutor-lsp-pick--joined (plist-get session :language)
                                                 (tutor-lsp-pick--progress session)))))
     (cl-loop
      for (key items) on (plist-get curriculum :recommended) by #'cddr
      for name = (substring (symbol-name key) 1)
      when (or (null language) (equal name language))
      append
      (cl-loop
       for item across items
       repeat (if language 3 1)
       for node = (seq-find (lambda (n) (equal (plist-get n :id) (plist-get item :node))) nodes)
       unless (equal (plist-get item :node) (plist-get session :node))
       collect (list (concat "Recommended: " (plist-get item :title))
                     (let ((node node)) (lambda () (tutor-lsp-pick--start node)))
                     "" (tutor-lsp-pick--joined name (tutor-lsp-pick--minutes node)
                                                (plist-get item :reason))
                     name)))
     (list (list "Browse all topics …" #'tutor-lsp-curriculum)
           (list "Your own topic …" (lambda () (call-interactively #'tutor-lsp-topic)))))))

;;;###autoload
(defun tutor-lsp-start (&optional language)
  "Begin an exercise, chosen from a short list.
With LANGUAGE, from Lisp, the first recommendation."
  (interactive)
  (if language
      (tutor-lsp--ask "tutor.start" (list :language language))
    (funcall (tutor-lsp-pick "What shall we do" (tutor-lsp-pick--first-list)))))

(provide 'tutor-lsp-pick)
;;; tutor-lsp-pick.el ends here
