package io.nightjar.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The checker for Jepsen, called as Jepsen does, and the lines of the page about the API. */
class ClojureCheckerTest {

    /** Jepsen's declaration, since Jepsen's registry is not available here. */
    private static final String PROTOCOL =
            """
            (ns jepsen.checker)
            (defprotocol Checker (check [checker test history opts]))
            (ns jepsen.history)
            (defrecord Op [^long index ^long time type process f value])
            (dosync (alter @#'clojure.core/*loaded-libs* conj 'jepsen.checker))
            (ns user)
            (require 'nightjar.jepsen)
            """;

    private static final String LISTS =
            """
            [{:index 0 :time 1 :type :invoke :process 0 :f :txn :value [[:append :x 1]]}
             {:index 1 :time 2 :type :invoke :process :nemesis :f :kill :value nil}
             {:index 2 :time 3 :type %s :process 0 :f :txn :value [[:append :x 1]]}
             {:index 3 :time 4 :type :invoke :process 2 :f :txn :value [[:r :x nil]]}
             {:index 4 :time 5 :type :ok :process 2 :f :txn :value [[:r :x [1]]]}]
            """;

    /** Two clients withdraw from one balance. */
    private static final String REGISTERS =
            """
            [{:index 0 :type :invoke :process 0 :f :txn :value [[:w 1 100]]}
             {:index 1 :type :ok :process 0 :f :txn :value [[:w 1 100]]}
             {:index 2 :type :invoke :process 1 :f :txn :value [[:r 1 nil] [:w 1 70]]}
             {:index 3 :type :invoke :process 2 :f :txn :value [[:r 1 nil] [:w 1 50]]}
             {:index 4 :type :ok :process 1 :f :txn :value [[:r 1 100] [:w 1 70]]}
             {:index 5 :type :ok :process 2 :f :txn :value [[:r 1 100] [:w 1 50]]}]
            """;

    @BeforeAll
    static void loadChecker() {
        eval(PROTOCOL);
    }

    @Test
    void checkerOfPageDecidesHistory() throws IOException {
        Clojure.var("clojure.core", "intern")
                .invoke(Clojure.read("user"), Clojure.read("of-page"), eval(codeOfThePage()));

        assertThat(eval("(:valid? (jepsen.checker/check of-page {} " + LISTS.formatted(":ok") + " {}))"))
                .isEqualTo(true);
        assertThat(eval("(:valid? (jepsen.checker/check of-page {} " + LISTS.formatted(":fail") + " {}))"))
                .isEqualTo(false);
    }

    @Test
    void holdingModelsHaveNoAnomalies() {
        check("{:models [:PL-3]}", LISTS.formatted(":ok"));

        assertThat(eval("result"))
                .isEqualTo(
                        eval("{:valid? true :not #{} :unknown {} :anomaly-types [] :anomaly-count 0 :anomalies {}}"));
    }

    @Test
    void violatedModelIsNamedWithCompletions() {
        check("{:models [:read-committed \"serializable\"]}", REGISTERS);

        assertThat(eval("(select-keys result [:valid? :not :unknown :anomaly-count])"))
                .isEqualTo(eval("{:valid? false :not #{:serializable} :unknown {} :anomaly-count 1}"));
        assertThat(eval("(sort (keys (:anomalies result)))")).isEqualTo(eval("(:anomaly-types result)"));
        assertThat(eval("(some #{:lost-update} (:anomaly-types result))")).isEqualTo(eval(":lost-update"));
        assertThat(eval("(select-keys (first (:lost-update (:anomalies result))) [:model :pattern :key])"))
                .isEqualTo(eval("{:model :serializable :pattern :lost-update :key \"1\"}"));
        assertThat(eval("(map :index (:ops (first (:lost-update (:anomalies result)))))"))
                .isEqualTo(eval("[4 5]"));
        assertThat(eval("(:explanation (first (:lost-update (:anomalies result))))"))
                .asString()
                .contains("T4", "T5");
    }

    @Test
    void dirtyReadHasTypeOfElle() {
        check("{:models [:PL-2]}", LISTS.formatted(":fail"));

        assertThat(eval("[(:valid? result) (:not result) (:anomaly-types result)]"))
                .isEqualTo(eval("[false #{:PL-2} [:G1a]]"));
    }

    @Test
    void openModelIsUnknownWithReason() {
        String history =
                "[{:type :invoke :process 0 :f :txn :value [[:w 1 1]]} {:type :ok :process 0 :f :txn :value [[:w 1 1]]}]";
        check("{:models [:commit-order-serializable]}", history);

        assertThat(eval("(:valid? result)")).isEqualTo(eval(":unknown"));
        assertThat(eval("(get-in result [:unknown :commit-order-serializable])"))
                .asString()
                .contains("timestamp");
    }

    /** Records, values of the nemesis that nothing can read, and a printer that abbreviates are no obstacle. */
    @Test
    void operationsOfJepsenAreReadWhole() {
        eval("(def history (into [(assoc (jepsen.history/->Op 0 1 :info :nemesis :start nil) :value (Object.))]"
                + " (mapcat (fn [i] (let [txn (mapv #(vector :append % i) (range 40))]"
                + "  [(jepsen.history/->Op (inc (* 2 i)) (* 9 i) :invoke 0 :txn txn)"
                + "   (assoc (jepsen.history/->Op (+ 2 (* 2 i)) (+ 4 (* 9 i)) (if (= i 49) :fail :ok) 0 :txn txn)"
                + "     :error (ex-info \"conflict\" {}))])) (range 50))))");
        eval("(def history (conj history (jepsen.history/->Op 101 1000 :invoke 1 :txn [[:r 39 nil]])"
                + " (jepsen.history/->Op 102 1001 :ok 1 :txn [[:r 39 (vec (range 50))]])))");
        eval("(def result (binding [*print-length* 10 *print-level* 2 *print-namespace-maps* true]"
                + " (jepsen.checker/check (nightjar.jepsen/checker) {} history {})))");

        assertThat(eval("[(:valid? result) (:anomaly-types result)]")).isEqualTo(eval("[false [:G1a]]"));
        assertThat(eval("(mapv type (:ops (first (:G1a (:anomalies result)))))"))
                .asString()
                .contains("jepsen.history.Op");
    }

    @Test
    void malformedHistoryIsAnError() {
        String twice =
                "[{:index 1 :type :ok :process 0 :f :txn :value [[:w 1 1]]} {:index 1 :type :ok :process 0 :f :txn :value [[:w 1 2]]}]";

        assertThatThrownBy(() -> check("{}", twice)).hasMessageContaining("1");
    }

    private static void check(String options, String history) {
        eval("(def result (jepsen.checker/check (nightjar.jepsen/checker " + options + ") {} " + history + " {}))");
    }

    private static String codeOfThePage() throws IOException {
        String page = Files.readString(Path.of("").toAbsolutePath().resolve("../../docs/api.md"));
        Matcher code = Pattern.compile("```clojure\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(code.find()).isTrue();
        return code.group(1);
    }

    /** Evaluates every form of a text; returns the value of the last form. */
    private static Object eval(String forms) {
        IFn loadString = Clojure.var("clojure.core", "load-string");
        return loadString.invoke("(ns user) " + forms);
    }
}
