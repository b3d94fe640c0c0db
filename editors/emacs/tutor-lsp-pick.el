;;; tutor-lsp-pick.el --- Choosing what to learn  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Continue, a recommendation, the curriculum, a topic of one's own: by
;; `completing-read', each with state, minutes and advice.

;;; Code:

(require 'tutor-lsp-client)

(declare-function tutor-lsp--ask "tutor-lsp")
(defvar tutor-lsp-language)

(defun tutor-lsp-pick-table (choices)
  "CHOICES, an alist, as a completion table: the first is the best."
  (lambda (text predicate action)
    (if (eq action 'metadata)
        '(metadata (category . tutor-lsp) (display-sort-function . identity)
                   (cycle-sort-function . identity))
      (complete-with-action action choices text predicate))))

(defun tutor-lsp-pick (prompt choices)
  "Choose one of CHOICES, an alist from label to value, with PROMPT; its value."
  (cdr (assoc (completing-read prompt (tutor-lsp-pick-table choices) nil t nil nil (caar choices))
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

(defun tutor-lsp-pick--node-label (node nodes)
  "State, mastery and advice of NODE, one of NODES."
  (let ((lacking (mapcar (lambda (id)
                           (or (plist-get (seq-find (lambda (other) (equal (plist-get other :id) id))
                                                    nodes)
                                          :title)
                               id))
                         (plist-get node :missingPrerequisites)))
        (known (tutor-lsp-pick--true node :claimed)))
    (tutor-lsp-pick--joined
     (concat (if (or known (tutor-lsp-pick--true node :passed)) "✓ " "○ ") (plist-get node :title))
     (if known "known" (format "%d of 3" (or (plist-get node :mastery) 0)))
     (tutor-lsp-pick--minutes node)
     (and (tutor-lsp-pick--true node :due) "due for review")
     (and lacking (concat "builds on " (string-join lacking ", ")))
     (unless (tutor-lsp-pick--true node :openable) "with a model"))))

(defun tutor-lsp-pick--language (curriculum)
  "The preferred language of CURRICULUM, or the one chosen."
  (let ((languages (append (plist-get curriculum :languages) nil)))
    (cond ((member tutor-lsp-language languages) tutor-lsp-language)
          ((cdr languages) (completing-read "Which language? " languages nil t))
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
     (tutor-lsp-pick (format "%s: " language)
                     (mapcar (lambda (node) (cons (tutor-lsp-pick--node-label node nodes) node))
                             sorted)))))

;;;###autoload
(defun tutor-lsp-topic (topic language)
  "Start an exercise on TOPIC, in your own words, in LANGUAGE."
  (interactive
   (list (read-string "What do you want to practise? ")
         (tutor-lsp-pick--language (tutor-lsp-execute-now "tutor.curriculum"))))
  (when (string-blank-p topic) (user-error "No topic was given"))
  (tutor-lsp--ask "tutor.start" (list :topic (string-trim topic) :language language)))

(defun tutor-lsp-pick--session-label (session)
  "Title and state of SESSION."
  (tutor-lsp-pick--joined
   (plist-get session :title) (plist-get session :language)
   (and (tutor-lsp-pick--true session :passed) "passed")
   (and (tutor-lsp-pick--true session :active) "in use")
   (and (plist-get session :endedAt) "ended")
   (if (string-empty-p (or (plist-get session :proven) "")) "" "proven")
   (and (tutor-lsp-pick--true session :missing) "its folder is gone")))

;;;###autoload
(defun tutor-lsp-sessions ()
  "Choose a session to go on with."
  (interactive)
  (let ((sessions (append (tutor-lsp-execute-now "tutor.sessions") nil)))
    (unless sessions (user-error "There is no session yet: M-x tutor-lsp-start begins one"))
    (let ((chosen (tutor-lsp-pick "Go on with: "
                                  (mapcar (lambda (session)
                                            (cons (tutor-lsp-pick--session-label session) session))
                                          sessions))))
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
         (node (tutor-lsp-pick "I know this: "
                               (mapcar (lambda (node)
                                         (cons (tutor-lsp-pick--node-label node nodes) node))
                                       nodes))))
    (tutor-lsp--ask "tutor.claim" (list :node (plist-get node :id)
                                        :known (if forget :json-false t)))))

(defun tutor-lsp-pick--first-list ()
  "Labels and what they do: continue, recommendations, browse, one's own topic."
  (let* ((curriculum (tutor-lsp-execute-now "tutor.curriculum"))
         (open (seq-remove (lambda (session) (or (plist-get session :endedAt)
                                                 (tutor-lsp-pick--true session :missing)))
                           (tutor-lsp-execute-now "tutor.sessions")))
         (session (or (seq-find (lambda (s) (tutor-lsp-pick--true s :active)) open) (car open)))
         (language (or tutor-lsp-language (plist-get session :language)))
         (nodes (plist-get curriculum :nodes)))
    (append
     (and session
          (list (cons (tutor-lsp-pick--joined (concat "Continue: " (plist-get session :title))
                                              (plist-get session :language))
                      (lambda () (tutor-lsp--ask "tutor.resume"
                                                 (list :session (plist-get session :id)))))))
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
       collect (cons (tutor-lsp-pick--joined (concat "Recommended: " (plist-get item :title)) name
                                             (tutor-lsp-pick--minutes node)
                                             (plist-get item :reason))
                     (let ((node node)) (lambda () (tutor-lsp-pick--start node))))))
     (list (cons "Browse all topics …" #'tutor-lsp-curriculum)
           (cons "Your own topic …" (lambda () (call-interactively #'tutor-lsp-topic)))))))

;;;###autoload
(defun tutor-lsp-start (&optional language)
  "Begin an exercise, chosen from a short list.
With LANGUAGE, from Lisp, the first recommendation."
  (interactive)
  (if language
      (tutor-lsp--ask "tutor.start" (list :language language))
    (funcall (tutor-lsp-pick "What shall we do? " (tutor-lsp-pick--first-list)))))

(provide 'tutor-lsp-pick)
;;; tutor-lsp-pick.el ends here
