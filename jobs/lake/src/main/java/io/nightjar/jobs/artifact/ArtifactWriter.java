package io.nightjar.jobs.artifact;

import io.nightjar.formats.finding.ExplainedFinding;
import io.nightjar.formats.finding.Finding;
import io.nightjar.formats.history.SanitizedText;
import io.nightjar.formats.level.Anomaly;
import io.nightjar.pipeline.explain.ElleStyleText;
import io.nightjar.pipeline.explain.PictureMaker;
import io.nightjar.pipeline.explain.SvgDrawing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * Writes files for people about each anomaly: a text and a drawing. A file appears under
 * its name only when it is complete, and the same findings produce the same files. Not thread-safe.
 */
public final class ArtifactWriter {

    /*
     *   DIR/HISTORY_ID/index.txt              one line for each anomaly, in the order in which they were found
     *   DIR/HISTORY_ID/G-single-item/1.txt    Let, Then, a contradiction
     *   DIR/HISTORY_ID/G-single-item/1.svg
     *
     * The index is written last. Then files of an earlier check of the same history that this check did not write are
     * deleted: a drawing of an anomaly that no longer exists would be misleading.
     */

    private static final Pattern OURS = Pattern.compile("\\d+\\.(txt|svg)");
    private static final int MAX_INDEX_CHARS = 160;

    private final Path folder;
    private final int maxAnomalies;
    private final Map<Anomaly, Integer> countOf = new EnumMap<>(Anomaly.class);
    private final Set<Path> written = new HashSet<>();
    private final StringBuilder index = new StringBuilder();
    private int total;

    /**
     * @param folder contains a folder for each history
     * @param maxAnomalies maximum number of anomalies to write; the others are counted in the index
     */
    public ArtifactWriter(Path folder, String historyId, int maxAnomalies) {
        this.folder = folder.resolve(historyId);
        this.maxAnomalies = maxAnomalies;
    }

    /**
     * @param explanation in sentences
     * @return whether the limit allowed to write it
     */
    public boolean write(ExplainedFinding story, String explanation) throws IOException {
        Finding finding = story.finding();
        if (total++ >= maxAnomalies) {
            return false;
        }
        String type = finding.anomaly().spelling();
        int number = countOf.merge(finding.anomaly(), 1, Integer::sum);
        writeWhole(folder.resolve(type).resolve(number + ".txt"), ElleStyleText.text(finding, explanation, story::txn));
        writeWhole(folder.resolve(type).resolve(number + ".svg"), SvgDrawing.draw(PictureMaker.picture(story)));
        index.append(type + "/" + number + "  " + indexLine(finding) + "\n");
        return true;
    }

    private static String indexLine(Finding finding) {
        StringJoiner line = new StringJoiner("  ");
        line.add(finding.anomalyId());
        line.add(
                finding.level() == null
                        ? "rules out nothing"
                        : "rules out " + finding.level().longName());
        if (finding.objectKey() != null) {
            line.add("on " + finding.objectKey());
        }
        Set<Long> txnIds = new LinkedHashSet<>();
        finding.participants().forEach(participant -> txnIds.add(participant.txnId()));
        StringJoiner txns = new StringJoiner(" ");
        txnIds.forEach(txnId -> txns.add("T" + txnId));
        String text = SanitizedText.flat(line.add(txns.toString()).toString());
        return text.length() <= MAX_INDEX_CHARS
                ? text
                : text.substring(
                                0,
                                text.offsetByCodePoints(
                                        0, Math.min(MAX_INDEX_CHARS, text.codePointCount(0, text.length()))))
                        + "…";
    }

    /**
     * Writes the index, and removes files of an earlier check.
     *
     * @param found the number of anomalies, written or not
     */
    public void finish(long found) throws IOException {
        long more = Math.max(found, total) - Math.min(total, maxAnomalies);
        if (more > 0) {
            index.append("and ").append(more).append(" more\n");
        }
        if (Math.max(found, total) == 0) {
            index.append("no anomalies\n");
        }
        writeWhole(folder.resolve("index.txt"), index.toString());
        for (Anomaly anomaly : Anomaly.values()) {
            removeLeftovers(folder.resolve(anomaly.spelling()));
        }
    }

    private void removeLeftovers(Path typeFolder) throws IOException {
        if (!Files.isDirectory(typeFolder)) {
            return;
        }
        boolean isEmpty = true;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(typeFolder)) {
            for (Path file : files) {
                if (!written.contains(file)
                        && OURS.matcher(file.getFileName().toString()).matches()) {
                    Files.deleteIfExists(file);
                } else {
                    isEmpty = false;
                }
            }
        }
        if (isEmpty) {
            Files.deleteIfExists(typeFolder);
        }
    }

    private void writeWhole(Path file, String text) throws IOException {
        WholeFile.write(file, text.getBytes(StandardCharsets.UTF_8));
        written.add(file);
    }
}
