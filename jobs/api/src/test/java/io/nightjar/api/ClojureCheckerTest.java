package io.nightjar.api;

import static org.assertj.core.api.Assertions.assertThat;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The checker for Jepsen on the page about the API, run unchanged. */
class ClojureCheckerTest {

    /** Jepsen's declaration, since Jepsen is not available here. */
    private static final String PROTOCOL =
            "(ns jepsen.checker) (defprotocol Checker (check [checker test history opts]))";

    private static final String HISTORY =
            """
            [{:index 0 :type :invoke :process 0 :f :txn :value [[:append :x 1]]}
             {:index 1 :type :ok :process 0 :f :txn :value [[:append :x 1]]}
             {:index 2 :type :invoke :process 1 :f :txn :value [[:append :x 2]]}
             {:index 3 :type %s :process 1 :f :txn :value [[:append :x 2]]}
             {:index 4 :type :invoke :process 2 :f :txn :value [[:r :x nil]]}
             {:index 5 :type :ok :process 2 :f :txn :value [[:r :x [1 2]]]}]
            """;

    @Test
    void checkerOfPageDecidesHistory() throws IOException {
        eval(PROTOCOL);
        eval("(ns user) " + codeOfThePage());
        String check = "(pr-str (jepsen.checker/check (user/nightjar \"serializable\") {} " + HISTORY + " {}))";

        assertThat(eval(check.formatted(":ok"))).contains(":valid? true");
        assertThat(eval(check.formatted(":fail"))).contains(":valid? false").contains("G1a");
    }

    private static String codeOfThePage() throws IOException {
        String page = Files.readString(Path.of("").toAbsolutePath().resolve("../../docs/api.md"));
        Matcher code = Pattern.compile("```clojure\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(code.find()).isTrue();
        return code.group(1);
    }

    /** Evaluates every form of a text; returns the value of the last form. */
    private static String eval(String forms) {
        IFn loadString = Clojure.var("clojure.core", "load-string");
        return String.valueOf(loadString.invoke(forms));
    }
}
