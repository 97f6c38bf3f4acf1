package io.nightjar.jobs.flink;

import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResultJson;

/** What a job ends in, as one text: a result, or why there is none. */
record Answer(Kind kind, String text) {

    /** Which of them it is. */
    enum Kind {
        RESULT,
        REJECTED,
        MISUSE
    }

    static Answer of(RunResult result) {
        return new Answer(Kind.RESULT, RunResultJson.write(result));
    }

    String encode() {
        return kind + " " + text;
    }

    static Answer decode(String encoded) {
        int end = encoded.indexOf(' ');
        return new Answer(Kind.valueOf(encoded.substring(0, end)), encoded.substring(end + 1));
    }
}
