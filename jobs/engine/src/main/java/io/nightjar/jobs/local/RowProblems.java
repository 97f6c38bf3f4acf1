package io.nightjar.jobs.local;

import io.nightjar.formats.history.BadRowHandler;
import io.nightjar.formats.history.InputError;
import io.nightjar.formats.history.InputLocation;
import io.nightjar.formats.history.MalformedHistoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All malformed rows by kind of problem: the number of rows of each kind, and the first row. */
final class RowProblems implements BadRowHandler {

    private static final int MAX_KINDS = 200;
    private static final String OTHERS = "other problems";

    private final Map<String, Kind> kinds = new LinkedHashMap<>();
    private long rowCount;

    @Override
    public synchronized void add(String file, long row, InputError fault, @Nullable String rawText) {
        rowCount++;
        Kind kind = kinds.get(fault.kind());
        if (kind == null) {
            kind = kinds.computeIfAbsent(
                    kinds.size() < MAX_KINDS ? fault.kind() : OTHERS, any -> new Kind(file, row, fault));
        }
        kind.add(file, row, fault);
    }

    synchronized long rowCount() {
        return rowCount;
    }

    /**
     * Returns the kinds of problems, most frequent first, followed by the problem that ended the reading.
     *
     * @param rowsAreLines whether messages call rows lines
     * @param end the problem that ended the reading, or null
     */
    synchronized List<InspectedProblem> inOrder(boolean rowsAreLines, @Nullable MalformedHistoryException end) {
        List<InspectedProblem> problems = new ArrayList<>();
        kinds.forEach((what, kind) -> problems.add(kind.problem(what, rowsAreLines)));
        problems.sort(Comparator.comparingLong(InspectedProblem::count).reversed());
        if (end != null) {
            problems.add(new InspectedProblem(end.fault().kind(), 1, String.valueOf(end.getMessage()), true));
        }
        return problems;
    }

    /** Rejects the history because of the first of all malformed rows; null if none exists. */
    synchronized @Nullable MalformedHistoryException first(boolean rowsAreLines) {
        Kind first = null;
        for (Kind kind : kinds.values()) {
            first = first == null || kind.isBefore(first.file, first.row) ? kind : first;
        }
        return first == null ? null : new MalformedHistoryException(first.location(rowsAreLines), first.fault);
    }

    /** Malformed rows with the same problem. */
    private static final class Kind {

        private long count;
        private String file;
        private long row;
        private InputError fault;

        Kind(String file, long row, InputError fault) {
            this.file = file;
            this.row = row;
            this.fault = fault;
        }

        void add(String inFile, long atRow, InputError other) {
            if (!isBefore(inFile, atRow)) {
                file = inFile;
                row = atRow;
                fault = other;
            }
            count++;
        }

        boolean isBefore(String otherFile, long otherRow) {
            int byFile = file.compareTo(otherFile);
            return byFile < 0 || byFile == 0 && row <= otherRow;
        }

        InspectedProblem problem(String what, boolean rowsAreLines) {
            return new InspectedProblem(what, count, text(rowsAreLines), false);
        }

        String text(boolean rowsAreLines) {
            return location(rowsAreLines) + " " + fault.text();
        }

        InputLocation location(boolean rowsAreLines) {
            return rowsAreLines ? InputLocation.line(file, row) : InputLocation.row(file, row);
        }
    }
}
