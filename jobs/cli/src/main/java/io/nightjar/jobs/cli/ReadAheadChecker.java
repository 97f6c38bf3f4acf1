package io.nightjar.jobs.cli;

import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.input.HistoryArgument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Checks small histories before it is their turn, several at once. The output keeps the order of the arguments. */
final class ReadAheadChecker implements AutoCloseable {

    /*
     * A small history keeps one thread busy, mostly with opening files. Its searches may use all memory of a check, and
     * a search that lacks memory is undecided: so a result that leaves a level open is not taken, nor is an error, and
     * the history is checked again in its turn. A result that is not taken leaves no run in a lake.
     */

    private static final long SMALL_BYTES = 1 << 16;
    private static final int MIN_HISTORIES = 4;
    private static final int AHEAD = 64;

    private final List<Path> histories;
    private final Engine engine;
    private final @Nullable ExecutorService threads; // null where nothing is done ahead
    private final List<Future<RunResult>> answers = new ArrayList<>(); // by history; null for one that is not small

    /** Checks a history; a result that is not taken leaves no run. */
    @FunctionalInterface
    interface Engine {
        RunResult check(HistoryArgument history, Predicate<RunResult> isTaken) throws IOException;
    }

    ReadAheadChecker(List<Path> histories, int threadCount, Engine engine) {
        this.histories = histories;
        this.engine = engine;
        this.threads = threadCount == 1 || histories.size() < MIN_HISTORIES
                ? null
                : Executors.newFixedThreadPool(threadCount, task -> {
                    Thread thread = new Thread(task, "ahead");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** @param number of the history among the arguments; each is checked at most once, in their order */
    RunResult check(int number, HistoryArgument history) throws IOException {
        if (threads == null) {
            return inTurn(history);
        }
        while (answers.size() < histories.size() && answers.size() <= number + AHEAD) {
            Path next = histories.get(answers.size());
            answers.add(isSmall(next) ? threads.submit(checkOf(next)) : null);
        }
        Future<RunResult> ahead = answers.set(number, null);
        return ahead == null ? inTurn(history) : answerOf(ahead, history);
    }

    private RunResult inTurn(HistoryArgument history) throws IOException {
        return engine.check(history, result -> true);
    }

    private RunResult answerOf(Future<RunResult> ahead, HistoryArgument history) throws IOException {
        try {
            RunResult answer = ahead.get();
            return isDecided(answer) ? answer : inTurn(history);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while checking", stopped);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException io) {
                throw io;
            }
            if (failed.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            return inTurn(history);
        }
    }

    private static boolean isDecided(RunResult answer) {
        return answer.levels().values().stream()
                .allMatch(level -> level.verdict() == Verdict.HOLDS
                        || level.verdict() == Verdict.VIOLATED && level.reason() == null);
    }

    private Callable<RunResult> checkOf(Path path) {
        return () -> {
            try (HistoryArgument history = HistoryArgument.find(path, bytes -> {})) {
                return engine.check(history, ReadAheadChecker::isDecided);
            }
        };
    }

    private static boolean isSmall(Path path) {
        try {
            return Files.isRegularFile(path) && Files.size(path) <= SMALL_BYTES;
        } catch (IOException unknown) {
            return false; // the check in its turn reports it
        }
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
