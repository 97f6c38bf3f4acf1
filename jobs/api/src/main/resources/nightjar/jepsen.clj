(ns nightjar.jepsen
  "A checker for Jepsen: transactions on lists or registers, checked in the process of the test."
  (:require [clojure.java.io :as io]
            [jepsen.checker :as checker])
  (:import (io.nightjar.api History Nightjar Verdicts Verdicts$Level Verdicts$Story)
           (java.io File)
           (java.time Duration)))

(def ^:private members [:index :time :type :process :f :value])

(defn- indexed
  "The history, with positions as indices unless every operation has an index: findings name operations by index."
  [history]
  (if (every? #(nat-int? (:index %)) history)
    history
    (map-indexed #(assoc %2 :index %1) history)))

(defn- write-history
  "Writes the operations of clients as EDN, whole even if the printer is set to abbreviate."
  [^File file history]
  (binding [*print-length* nil
            *print-level* nil
            *print-meta* false
            *print-dup* false
            *print-readably* true
            *print-namespace-maps* false]
    (with-open [out (io/writer file)]
      (binding [*out* out]
        (doseq [op history
                :when (integer? (:process op))]
          (prn (select-keys op members)))))))

(defn- check-history
  ^Verdicts [models budget-seconds history]
  (let [file (File/createTempFile "nightjar-history" ".edn")]
    (try
      (write-history file history)
      (Nightjar/check (History/read (.toPath file)) (Duration/ofSeconds budget-seconds) (mapv name models))
      (finally (.delete file)))))

(defn- ops-by-index
  "The operations that transactions are named after: their completions, or invocations that never completed."
  [stories history]
  (let [ids (into #{} (mapcat #(.transactions ^Verdicts$Story %)) stories)]
    (into {} (comp (filter #(contains? ids (:index %))) (map (juxt :index identity))) history)))

(defn- anomaly
  [op-at ^Verdicts$Story story]
  {:id          (.id story)
   :model       (some-> (.level story) keyword)
   :pattern     (some-> (.pattern story) keyword)
   :key         (.key story)
   :explanation (.explanation story)
   :ops         (into [] (keep op-at) (.transactions story))})

(defn- models-with
  "The levels with an answer, by model."
  [^Verdicts verdicts answer]
  (into {}
        (for [[model ^Verdicts$Level level] (.levels verdicts)
              :when (= answer (str (.verdict level)))]
          [(keyword model) level])))

(defn- types
  [^Verdicts verdicts]
  (into (sorted-set)
        (map keyword)
        (concat (mapcat #(keys (.types ^Verdicts$Level %)) (vals (.levels verdicts)))
                (map #(.type ^Verdicts$Story %) (.stories verdicts)))))

(defn checker
  "A checker that decides isolation levels.

  Options:

    :models          levels, by the names of Nightjar or Elle. Default: [:snapshot-isolation :serializable].
    :budget-seconds  bound on searches; a level that it leaves open is undecided. Default: 300.

  The result:

    :valid?          true if every model holds, false if one is violated, else :unknown
    :not             the violated models
    :unknown         undecided models, each with its reason
    :anomaly-types   types of anomalies, sorted
    :anomaly-count   their number, listed or not; a lower bound for models that are decided by searches
    :anomalies       up to 100 anomalies by type, each with its explanation and the completions of its transactions"
  ([] (checker {}))
  ([{:keys [models budget-seconds]
     :or   {models [:snapshot-isolation :serializable], budget-seconds 300}}]
   (reify checker/Checker
     (check [_ _ history _]
       (let [history  (indexed history)
             verdicts (check-history models budget-seconds history)
             stories  (.stories verdicts)
             op-at    (ops-by-index stories history)]
         {:valid?        (case (str (.verdict verdicts)) "HOLDS" true "VIOLATED" false :unknown)
          :not           (set (keys (models-with verdicts "VIOLATED")))
          :unknown       (update-vals (models-with verdicts "UNDECIDED") #(.reason ^Verdicts$Level %))
          :anomaly-types (vec (types verdicts))
          :anomaly-count (.anomalyCount verdicts)
          :anomalies     (update-vals (group-by #(keyword (.type ^Verdicts$Story %)) stories)
                                      #(mapv (partial anomaly op-at) %))})))))
