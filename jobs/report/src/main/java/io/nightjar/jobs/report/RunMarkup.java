package io.nightjar.jobs.report;

import static java.util.Objects.requireNonNull;

import io.nightjar.formats.finding.AnomalyTitle;
import io.nightjar.formats.level.IsolationLevel;
import io.nightjar.formats.level.LevelLattice;
import io.nightjar.formats.level.Verdict;
import io.nightjar.jobs.AnomalyDefinition;
import io.nightjar.jobs.CommandHint;
import io.nightjar.jobs.RunResult;
import io.nightjar.jobs.RunResult.LevelResult;
import io.nightjar.jobs.lake.LakeRow;
import io.nightjar.jobs.lake.StoredRun;
import io.nightjar.jobs.report.AnomalyGroup.Often;
import io.nightjar.jobs.sql.StoredAnomaly;
import io.nightjar.pipeline.explain.StepSentences;
import io.nightjar.pipeline.validate.LintRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Markup of one run: verdict of each level; groups of anomalies, the first with an example; then details. */
final class RunMarkup {

    private static final int MAX_REASON_CHARS = 2_000;
    private static final int MAX_LISTED_TEXT = 220;
    private static final int MAX_BRIEF_TEXT = 600;
    private static final int MAX_NAMES = 3;
    private static final int MAX_KEY_CHARS = 16;
    private static final int MAX_DIAGNOSES = 2;

    /** Lint rules about input that lets a checker see anomalies where the database had none. */
    private static final Set<String> DIAGNOSES = Set.of(
            LintRule.TIMESTAMP_COLUMN.id(),
            LintRule.INITIAL_VALUE.id(),
            LintRule.COMMIT_BEFORE_START.id(),
            LintRule.START_IS_COMMIT.id(),
            LintRule.CLOCK_STEP.id(),
            LintRule.CLOCKS_DIFFER.id(),
            LintRule.BOUNDARY_CUT.id());

    private final Markup page;
    private final RunReport report;
    private final PageLinks links;
    private final Path lake;
    private final StoredRun run;
    private final RunResult result;
    private final boolean isOneOfMany;

    /** @param isOneOfMany whether the page shows other runs too; this run is then folded */
    RunMarkup(Markup page, RunReport report, PageLinks links, Path lake, boolean isOneOfMany) {
        this.page = page;
        this.report = report;
        this.links = links;
        this.lake = lake;
        this.run = report.run();
        this.result = run.result();
        this.isOneOfMany = isOneOfMany;
    }

    /** Writes a verdict as a word with a sign, so that it is readable without colors. */
    static void verdict(Markup page, String word) {
        String sign =
                switch (word) {
                    case "holds" -> "✓";
                    case "violated" -> "✕";
                    default -> "?";
                };
        page.raw("<span class=\"verdict v-").text(word).raw("\"><span aria-hidden=\"true\">" + sign + "</span> ");
        page.text(word).raw("</span>");
    }

    /**
     * @param number number of the run on the page, from 1
     * @param afterVerdict writes the content that follows the verdict
     */
    void write(int number, Runnable afterVerdict) {
        String word = result.verdict().word();
        page.raw("<article class=\"run\" id=\"run-" + number + "\" data-verdict=\"" + word + "\" aria-labelledby=\"run-"
                + number + "-h\">");
        banner(number, word);
        page.raw(isOneOfMany ? "<div class=\"details\">\n" : "");
        if (report.map() != null) {
            map();
        }
        levels();
        page.raw(isOneOfMany ? "</div>\n" : "");
        HistoryTrend trend = report.trend();
        if (links.isLive() && trend != null && trend.runCount() > 1) {
            TrendMarkup.write(page, trend, report);
        }
        afterVerdict.run();
        anomalies();
        page.raw("<div class=\"details\">\n");
        if (report.map() == null) {
            map();
        }
        shape();
        lint();
        cost();
        provenance();
        page.raw("</div>\n");
        page.raw("</article>\n");
    }

    private void banner(int number, String word) {
        page.raw("<header class=\"banner v-" + word + "\"><p class=\"word\">");
        verdict(page, word);
        if (report.counts().newCount() != null && report.counts().newCount() > 0) {
            page.raw(" <span class=\"badge new\">")
                    .text(ReadableText.number(report.counts().newCount()))
                    .raw(" new</span>");
        }
        page.raw("</p><h2 id=\"run-" + number + "-h\">").raw(headline()).raw("</h2>");
        page.raw("<p class=\"lead\">").raw(lead()).raw("</p>");
        diagnosis();
        List<String> undecided = levelsWith(Verdict.UNDECIDED);
        if (!undecided.isEmpty()) {
            page.raw("<p class=\"lead\"><b>Not decided:</b> ")
                    .text(ReadableText.listed(undecided))
                    .raw(". Undecided is not a pass.</p>");
        }
        linkToWorst();
        page.raw("<dl class=\"numbers\">");
        figure("Transactions", ReadableText.number(result.transactions()));
        figure("Operations", ReadableText.number(result.operations()));
        figure("Sessions", ReadableText.number(result.sessions()));
        figure("Keys", ReadableText.number(result.keys()));
        figure("Evidence", result.evidence());
        figure("Checked", ReadableText.time(run.facts().finishedAt()));
        page.raw("</dl></header>\n");
    }

    private void figure(String name, String value) {
        page.raw("<div><dt>").text(name).raw("</dt><dd>").text(value).raw("</dd></div>");
    }

    private List<String> levelsWith(Verdict verdict) {
        List<String> names = new ArrayList<>();
        result.levels().forEach((level, answer) -> {
            if (answer.verdict() == verdict) {
                names.add(ReadableText.level(level));
            }
        });
        return names;
    }

    private String headline() {
        List<String> violated = levelsWith(Verdict.VIOLATED);
        List<String> undecided = levelsWith(Verdict.UNDECIDED);
        Markup words = new Markup();
        words.value(ReadableText.nameOf(result.history()));
        if (!violated.isEmpty()) {
            words.text(" violates " + ReadableText.listed(violated));
        } else if (!undecided.isEmpty()) {
            words.text(" is not violated, but not proved either");
        } else {
            List<String> held = levelsWith(Verdict.HOLDS);
            words.text(held.isEmpty() ? " was checked for no level" : " holds at " + ReadableText.listed(held));
        }
        return words.toString();
    }

    private String lead() {
        Markup words = new Markup();
        long count = faultCount();
        if (count == 0) {
            words.text(result.transactions() == 0 ? "The history has no transactions." : "No anomaly was found.");
        } else {
            words.text(reason());
        }
        RunReport.Baseline baseline = report.baseline();
        if (baseline != null) {
            long isNew = requireNonNull(report.counts().newCount());
            long known = report.counts().faults() - isNew;
            words.text(" Compared with the run of " + ReadableText.time(baseline.finishedAt()) + ": ");
            words.raw("<b>").text(ReadableText.number(isNew) + " new").raw("</b>");
            words.text(", " + ReadableText.number(known) + " known, " + ReadableText.number(baseline.goneCount())
                    + " gone.");
            words.text(
                    baseline.isAlike()
                            ? ""
                            : " That run was asked for other levels, or decided them otherwise: by other evidence, or an older definition.");
        }
        return words.toString();
    }

    /** Returns the number of distinct anomalies, including anomalies that a search counted but did not list. */
    private long faultCount() {
        return Math.max(report.counts().faults(), result.report().faults().count());
    }

    /** Returns a sentence with the anomalies that rule out the violated levels, by their classic names. */
    private String reason() {
        Map<String, Map<String, Long>> namesOf = new LinkedHashMap<>();
        Map<String, String> boundOf = new HashMap<>();
        result.levels().forEach((level, answer) -> {
            namesOf.put(level.longName(), new LinkedHashMap<>());
            boundOf.put(level.longName(), answer.bound());
        });
        for (AnomalyGroup group : report.groups()) {
            String level = group.kind().level();
            if (level != null && group.counts().faults() > 0) {
                namesOf.computeIfAbsent(level, absent -> new LinkedHashMap<>())
                        .merge(group.kind().name(), group.counts().faults(), Long::sum);
            }
        }
        addUnlisted(namesOf);
        List<String> others = weakerLevels(namesOf);
        namesOf.values().removeIf(Map::isEmpty);
        boolean isOneClause = namesOf.size() == 1;
        List<String> clauses = new ArrayList<>();
        namesOf.forEach((level, counts) -> {
            List<Map.Entry<String, Long>> frequent = new ArrayList<>(counts.entrySet());
            frequent.sort(Map.Entry.<String, Long>comparingByValue().reversed());
            List<String> names = new ArrayList<>();
            long rest = 0;
            for (Map.Entry<String, Long> each : frequent) {
                if (names.size() < MAX_NAMES) {
                    names.add(ReadableText.counted(each.getValue(), each.getKey()));
                } else {
                    rest += each.getValue();
                }
            }
            if (rest > 0) {
                names.add(ReadableText.counted(rest, "other anomaly", "other anomalies"));
            }
            boolean isOne = counts.values().stream().mapToLong(each -> each).sum() == 1;
            List<String> ruledOut = new ArrayList<>(isOneClause ? others : List.of());
            ruledOut.add(ReadableText.spoken(level));
            clauses.add(boundOf.getOrDefault(level, "")
                    + ReadableText.listed(names)
                    + (isOne ? " rules out " : " rule out ")
                    + ReadableText.listed(ruledOut));
        });
        if (clauses.size() > 1 && !others.isEmpty()) {
            clauses.add("the same anomalies rule out " + ReadableText.listed(others));
        }
        String stated = clauses.isEmpty()
                ? result.report().faults().bound() + ReadableText.counted(faultCount(), "anomaly", "anomalies")
                : String.join("; ", clauses);
        return Character.toUpperCase(stated.charAt(0)) + stated.substring(1) + ".";
    }

    /**
     * Returns violated levels that no named level is weaker than: other definitions of the same anomalies rule them out.
     */
    private List<String> weakerLevels(Map<String, Map<String, Long>> namesOf) {
        List<IsolationLevel> named = result.levels().keySet().stream()
                .filter(level ->
                        !namesOf.getOrDefault(level.longName(), Map.of()).isEmpty())
                .toList();
        List<String> weaker = new ArrayList<>();
        result.levels().forEach((level, answer) -> {
            if (answer.verdict() == Verdict.VIOLATED
                    && answer.anomalies() > 0
                    && named.stream().noneMatch(each -> LevelLattice.implies(level, each))) {
                weaker.add(ReadableText.level(level));
            }
        });
        return weaker;
    }

    /** Adds anomalies that were counted, but are not in the tables or not shown, by the general name of their type. */
    private void addUnlisted(Map<String, Map<String, Long>> namesOf) {
        Map<String, Long> listed = new HashMap<>();
        for (AnomalyGroup group : report.groups()) {
            if (group.kind().level() != null) {
                listed.merge(group.kind().type(), group.counts().rows(), Long::sum);
            }
        }
        Set<String> seen = new HashSet<>(); // at a weaker level, whose anomalies a level repeats
        result.levels().forEach((level, answer) -> answer.types().forEach((type, count) -> {
            long unlisted = count - listed.getOrDefault(type, 0L);
            if (seen.add(type) && unlisted > 0) {
                requireNonNull(namesOf.get(level.longName()))
                        .merge(AnomalyTitle.name(type, null, null), unlisted, Long::sum);
            }
        }));
    }

    /** Writes lint findings that may explain the anomalies by an error of the input. */
    private void diagnosis() {
        if (report.groups().isEmpty()) {
            return;
        }
        report.rows().lint().stream()
                .filter(finding -> DIAGNOSES.contains(finding.ruleId())
                        && !finding.severity().equals("info"))
                .limit(MAX_DIAGNOSES)
                .forEach(finding -> page.raw("<p class=\"diagnosis\"><b>Check the input first:</b> ")
                        .value(AnomalyMarkup.cut(finding.message(), MAX_REASON_CHARS))
                        .raw("</p>"));
    }

    private void map() {
        HistoryShape shape = report.historyView().shape();
        MapMarkup map = new MapMarkup(page, report.map(), shape);
        if (map.isEmpty()) {
            return;
        }
        beginFolded(
                "map",
                report.map() == null ? "When" : "Where and when",
                report.map() == null ? "transactions over time" : "anomalies over time and keys",
                !isOneOfMany);
        map.write();
        endFolded();
    }

    /** Writes a link to the most important anomaly. */
    private void linkToWorst() {
        if (report.groups().isEmpty() || report.groups().get(0).shown().shown().isEmpty()) {
            return;
        }
        StoredAnomaly first = report.groups().get(0).shown().shown().get(0);
        page.raw("<p class=\"first\"><a href=\"#" + links.anomaly(first.id()) + "\">Look first at ");
        AnomalyMarkup.title(page, first);
        page.raw("</a>");
        page.raw(" <span>")
                .value(AnomalyMarkup.shortened(AnomalyMarkup.sentence(first), MAX_LISTED_TEXT))
                .raw("</span>");
        page.raw("</p>");
    }

    private void begin(String name, String title) {
        String id = links.section(name);
        page.raw(
                "<section class=\"panel\" id=\"" + id + "\" aria-labelledby=\"" + id + "-h\"><h3 id=\"" + id + "-h\">");
        page.text(title).raw("</h3>\n");
    }

    private void end() {
        page.raw("</section>\n");
    }

    /** Begins a section that is folded until a reader asks for it. */
    private void beginFolded(String name, String title, String summary, boolean isOpen) {
        String id = links.section(name);
        page.raw("<details class=\"panel\" id=\"" + id + "\"" + (isOpen ? " open" : "") + "><summary><h3>");
        page.text(title).raw("</h3> <span class=\"soft\">").text(summary).raw("</span></summary>\n");
    }

    private void endFolded() {
        page.raw("</details>\n");
    }

    // ---------------------------------------------------------------- levels

    private void levels() {
        List<String> verdicts = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            List<String> names = levelsWith(verdict);
            if (!names.isEmpty()) {
                verdicts.add(verdict.word() + ": " + String.join(", ", names));
            }
        }
        beginFolded("levels", "Levels", String.join("; ", verdicts), !isOneOfMany);
        page.raw(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Levels, scrolls\"><table class=\"levels\"><thead><tr>"
                        + "<th scope=\"col\">Level</th><th scope=\"col\">Verdict</th><th scope=\"col\">By</th><th scope=\"col\">Because</th>"
                        + "<th scope=\"col\" class=\"number\">Anomalies</th></tr></thead><tbody>\n");
        result.levels().forEach((level, answer) -> {
            page.raw("<tr><th scope=\"row\">").text(ReadableText.level(level)).raw("</th><td>");
            verdict(page, answer.verdict().word());
            page.raw("</td><td>").text(answer.evidence()).raw("</td><td class=\"because\">");
            because(level, answer);
            page.raw("</td><td class=\"number\">")
                    .text(answer.bound() + ReadableText.number(answer.anomalies()))
                    .raw("</td></tr>\n");
        });
        page.raw("</tbody></table></div>");
        endFolded();
    }

    private void because(IsolationLevel level, LevelResult answer) {
        switch (answer.verdict()) {
            case HOLDS -> page.text(LevelProof.of(level, result.levels()));
            case UNDECIDED ->
                page.value(AnomalyMarkup.cut(
                        answer.reason() == null ? "no reason given" : answer.reason(), MAX_REASON_CHARS));
            case VIOLATED -> {
                int shown = 0;
                page.text(answer.bound());
                for (Map.Entry<String, Long> type : answer.types().entrySet()) {
                    page.text(shown++ == 0 ? "" : ", ");
                    typeLink(type.getKey());
                    page.text(" " + ReadableText.number(type.getValue()));
                }
                if (answer.reason() != null) {
                    page.raw("<br><span class=\"soft\">");
                    page.value(AnomalyMarkup.cut(answer.reason(), MAX_REASON_CHARS))
                            .raw("</span>");
                }
            }
        }
    }

    private void typeLink(String type) {
        for (int i = 0; i < report.groups().size(); i++) {
            if (report.groups().get(i).kind().type().equals(type)) {
                page.raw("<a href=\"#" + links.section("group-" + i) + "\">")
                        .text(type)
                        .raw("</a>");
                return;
            }
        }
        page.text(type);
    }

    // ---------------------------------------------------------------- anomalies

    private void anomalies() {
        begin("anomalies", "Anomalies");
        if (report.groups().isEmpty()) {
            page.raw("<p class=\"none\">None.</p>");
            gone();
            end();
            return;
        }
        if (report.listedCount() < report.counts().rows()) {
            page.raw("<p class=\"note\">")
                    .text("Listed here: " + ReadableText.number(report.listedCount()) + " of "
                            + ReadableText.number(report.counts().rows()) + " in the tables. All: ")
                    .raw("<code>")
                    .text(CommandHint.of("sql", "--lake", lake, "FROM anomalies WHERE run_id = '" + run.runId() + "'"))
                    .raw("</code></p>");
        }
        if (report.listedCount() > 3) {
            String field = links.section("filter");
            page.raw("<div class=\"filter\" hidden><label for=\"" + field + "\">Filter</label><input id=\"" + field
                    + "\" type=\"search\" placeholder=\"key, transaction, type, id\" autocomplete=\"off\">"
                    + (report.baseline() == null
                            ? ""
                            : "<label class=\"check\"><input type=\"checkbox\" data-only=\"new\"> only new</label>")
                    + "<output aria-live=\"polite\"></output></div>\n");
        }
        for (int i = 0; i < report.groups().size(); i++) {
            group(i, report.groups().get(i));
        }
        gone();
        end();
    }

    /** Writes a group as a line with its count, keys and time; below, an example in full and some more in a sentence each. */
    private void group(int index, AnomalyGroup group) {
        String id = links.section("group-" + index);
        boolean isOpen = index == 0 && !isOneOfMany;
        page.raw("<details class=\"group\" id=\"" + id + "\"" + (isOpen ? " open" : "") + "><summary><h4>");
        page.text(group.title()).raw("</h4><span class=\"count\">");
        page.text(ReadableText.number(group.counts().rows())).raw("</span>");
        if (group.counts().newCount() != null && group.counts().newCount() > 0) {
            page.raw("<span class=\"badge new\">")
                    .text(ReadableText.number(group.counts().newCount()))
                    .raw(" new</span>");
        }
        page.raw("<span class=\"soft\">");
        if (group.keyCount() > 0) {
            page.text(" · " + ReadableText.counted(group.keyCount(), "key") + ": ");
            often(group.keys());
        }
        Long first = group.span().first();
        Long last = group.span().last();
        if (first != null && last != null) {
            TimeScale scale = report.map() != null && report.map().axis() == AnomalyMap.Axis.DATABASE
                    ? report.map().scale()
                    : TimeScale.ofTicks(first, last);
            page.text(" · at " + scale.number(first) + (first.equals(last) ? "" : " to " + scale.number(last)));
        }
        page.text(
                group.kind().level() == null
                        ? " · alone rules out no level"
                        : " · rules out " + ReadableText.spoken(group.kind().level())
                                + (group.counts().faults() == 0 ? " · counted above" : ""));
        page.raw("</span></summary>\n<div class=\"group-body\">");
        String address = AnomalyDefinition.address(group.kind().type());
        String definition = AnomalyDefinition.of(group.kind().type());
        page.raw("<p class=\"note\">Defined in ");
        if (address == null || links.isLive() && address.startsWith("file:")) {
            page.raw("<code>").text(definition).raw("</code>");
        } else {
            page.raw("<a href=\"").text(address).raw("\">").text(definition).raw("</a>");
        }
        if (!group.sessions().isEmpty() && group.counts().rows() > 1) {
            page.text(". Sessions: ");
            often(group.sessions());
        }
        page.raw("</p>\n");
        for (StoredAnomaly anomaly : group.shown().shown()) {
            fullAnomaly(anomaly, group.shown().newIds().contains(anomaly.id()));
        }
        brief(group);
        page.raw("</div></details>\n");
    }

    private void often(List<Often> often) {
        int shown = Math.min(3, often.size());
        for (int i = 0; i < shown; i++) {
            page.text(i == 0 ? "" : ", ").value(AnomalyMarkup.cut(often.get(i).name(), MAX_KEY_CHARS));
            page.text(
                    often.get(i).count() == 1
                            ? ""
                            : " (" + ReadableText.number(often.get(i).count()) + ")");
        }
        page.text(often.size() > shown ? ", …" : "");
    }

    private void fullAnomaly(StoredAnomaly anomaly, boolean isNew) {
        String id = links.anomaly(anomaly.id());
        page.raw("<details class=\"anomaly\" id=\"" + id + "\" open data-find=\"");
        findText(anomaly.row(), anomaly.txns());
        page.raw("\" data-new=\"" + isNew + "\"><summary><h5>");
        AnomalyMarkup.title(page, anomaly);
        page.raw("</h5>");
        AnomalyMarkup.badges(page, anomaly.row(), isNew);
        page.raw("<code class=\"id\">").text(anomaly.id()).raw("</code></summary>\n");
        new AnomalyMarkup(page, links, lake, anomaly, "h6").body();
        page.raw("</details>\n");
    }

    private void findText(LakeRow.Anomaly row, List<LakeRow.AnomalyTxn> txns) {
        page.text(row.id().anomalyId()).text(" " + row.title() + " ");
        page.text(row.pattern() == null ? "" : row.pattern() + " ");
        page.text(row.objectKey() == null ? "" : AnomalyMarkup.cut(row.objectKey(), 200));
        for (LakeRow.AnomalyTxn txn : txns.subList(0, Math.min(20, txns.size()))) {
            page.text(" T" + txn.txnId());
        }
    }

    /** Writes the anomalies that are not shown in full, folded, and how to query the others. */
    private void brief(AnomalyGroup group) {
        List<LakeRow.Anomaly> listed = group.shown().listed();
        for (LakeRow.Anomaly row : listed.subList(group.shown().shown().size(), listed.size())) {
            folded(row, links, group.shown().newIds().contains(row.id().anomalyId()));
        }
        long more = group.counts().rows() - listed.size();
        if (more > 0) {
            page.raw("<p class=\"note\">")
                    .text("And " + ReadableText.number(more) + " more: ")
                    .raw("<code>")
                    .text(CommandHint.of(
                            "sql",
                            "--lake",
                            lake,
                            "FROM anomalies WHERE run_id = '" + run.runId() + "' AND anomaly_type = '"
                                    + group.kind().type() + "'"))
                    .raw("</code></p>");
        }
    }

    private void folded(LakeRow.Anomaly row, PageLinks of, boolean isNew) {
        String anomalyId = row.id().anomalyId();
        page.raw("<details class=\"anomaly\" id=\"" + of.anomaly(anomalyId) + "\" data-find=\"");
        findText(row, List.of());
        page.raw("\" data-new=\"" + isNew + "\"><summary><h5>");
        AnomalyMarkup.title(page, row, row.objectKey() == null ? List.of() : List.of(row.objectKey()));
        page.raw("</h5>");
        AnomalyMarkup.badges(page, row, isNew);
        page.raw("<code class=\"id\">").text(anomalyId).raw("</code></summary><p class=\"why\">");
        page.sentence(StepSentences.brief(Objects.requireNonNullElse(row.explanation(), ""), MAX_BRIEF_TEXT))
                .raw("</p><p class=\"note\">");
        String address = of.pageOf(anomalyId);
        if (address == null) {
            page.raw("<code>").text(CommandHint.of("explain", lake, anomalyId)).raw("</code>");
        } else {
            page.raw("<a href=\"").text(address).raw("\">in full</a>");
        }
        page.raw("</p></details>\n");
    }

    /** Writes the anomalies of the baseline that this run lacks, folded. */
    private void gone() {
        RunReport.Baseline baseline = report.baseline();
        if (baseline == null || baseline.goneCount() == 0) {
            return;
        }
        page.raw("<details class=\"group\" id=\"" + links.section("gone")
                        + "\"><summary><h4>Gone</h4><span class=\"count\">")
                .text(ReadableText.number(baseline.goneCount()))
                .raw("</span><span class=\"soft\">");
        page.text(" · in the run of " + ReadableText.time(baseline.finishedAt()) + ", " + baseline.runId() + ", not in "
                        + run.runId())
                .raw("</span></summary>\n<div class=\"group-body\">");
        PageLinks there = new PageLinks(links.section("gone-"), baseline.runId(), links.isLive());
        baseline.gone().forEach(row -> folded(row, there, false));
        if (baseline.goneCount() > baseline.gone().size()) {
            page.raw("<p class=\"note\">")
                    .text("All: ")
                    .raw("<code>")
                    .text(CommandHint.of("diff", baseline.runId(), run.runId(), "--lake", lake, "--json"))
                    .raw("</code></p>");
        }
        page.raw("</div></details>\n");
    }

    // ---------------------------------------------------------------- the rest

    private void shape() {
        HistoryView view = report.historyView();
        beginFolded(
                "history",
                "History",
                view.note() != null ? view.note() : "operations, latency, hot keys, sessions",
                false);
        if (view.shape() != null) {
            new ShapeMarkup(page, view.shape(), result).write();
        }
        endFolded();
    }

    private void lint() {
        List<LakeRow.LintFinding> findings = report.rows().lint();
        boolean hasDeadLetters = report.rows().deadLetterCount() > 0;
        String counted = findings.isEmpty() ? "nothing found" : ReadableText.counted(findings.size(), "finding");
        beginFolded("lint", "Lint and dead letters", counted, hasDeadLetters && !isOneOfMany);
        if (findings.isEmpty()) {
            page.raw("<p class=\"none\">No lint findings.</p>");
        } else {
            page.raw(
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Lint, scrolls\"><table><thead><tr><th scope=\"col\">Rule</th>"
                            + "<th scope=\"col\">Severity</th><th scope=\"col\" class=\"number\">Count</th><th scope=\"col\">Meaning</th>"
                            + "<th scope=\"col\">For example</th></tr></thead><tbody>\n");
            for (LakeRow.LintFinding row : findings) {
                page.raw("<tr><th scope=\"row\">").text(row.ruleId()).raw("</th><td><span class=\"severity ");
                page.text(row.severity()).raw("\">").text(row.severity()).raw("</span></td><td class=\"number\">");
                page.text(ReadableText.number(row.findingCount())).raw("</td><td>");
                page.value(AnomalyMarkup.cut(row.message(), MAX_REASON_CHARS)).raw("</td><td>");
                page.value(row.example() == null ? "–" : AnomalyMarkup.cut(row.example(), 200));
                page.raw("</td></tr>\n");
            }
            page.raw("</tbody></table></div>");
        }
        deadLetters();
        endFolded();
    }

    private void deadLetters() {
        long count = report.rows().deadLetterCount();
        if (count == 0) {
            return;
        }
        page.raw("<h4>")
                .text(ReadableText.counted(count, "dead letter"))
                .raw(
                        "</h4><p class=\"note\">Rows that were skipped; if any row was, no level"
                                + " may hold.</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Dead letters, scrolls\"><table><thead><tr>"
                                + "<th scope=\"col\">Row</th><th scope=\"col\">Reason</th><th scope=\"col\">Raw text</th></tr></thead><tbody>\n");
        for (LakeRow.DeadLetter row : report.rows().deadLetters()) {
            page.raw("<tr><th scope=\"row\">").value(ReadableText.nameOf(row.sourceFile()));
            page.text(" row " + row.sourceRow()).raw("</th><td>");
            page.value(AnomalyMarkup.cut(row.reason(), 400)).raw("</td><td><code>");
            page.value(AnomalyMarkup.cut(row.rawText(), 300)).raw("</code></td></tr>\n");
        }
        page.raw("</tbody></table></div>");
        if (report.rows().deadLetters().size() < count) {
            page.raw("<p class=\"note\">")
                    .text("and "
                            + ReadableText.number(
                                    count - report.rows().deadLetters().size()) + " more")
                    .raw("</p>");
        }
    }

    private void cost() {
        beginFolded("cost", "Cost by stage", ReadableText.seconds(result.seconds()), false);
        double max = 0;
        for (LakeRow.Stage stage : report.rows().stages()) {
            max = Math.max(max, stage.seconds());
        }
        page.raw(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Stages, scrolls\"><table class=\"stages\"><thead><tr><th scope=\"col\">Stage</th>"
                        + "<th scope=\"col\">Time</th><th scope=\"col\" class=\"number\">In</th><th scope=\"col\" class=\"number\">Out</th>"
                        + "<th scope=\"col\" class=\"number\">Read</th><th scope=\"col\" class=\"number\">Spilled</th>"
                        + "<th scope=\"col\" class=\"number\">Peak memory</th></tr></thead><tbody>\n");
        for (LakeRow.Stage stage : report.rows().stages()) {
            long width = max <= 0 ? 0 : Math.round(100 * stage.seconds() / max);
            page.raw("<tr><th scope=\"row\">")
                    .text(stage.stage())
                    .raw("</th><td class=\"time\"><svg width=\"110\" height=\"10\" aria-hidden=\"true\">"
                            + "<rect class=\"column\" width=\"" + width + "\" height=\"10\" rx=\"2\"/></svg> ");
            page.text(ReadableText.seconds(stage.seconds())).raw("</td>");
            count(stage.recordsIn());
            count(stage.recordsOut());
            size(stage.bytesRead());
            size(stage.bytesSpilled());
            size(stage.peakMemoryBytes());
            page.raw("</tr>\n");
        }
        page.raw("</tbody></table></div><p class=\"note\">")
                .text("All in all " + ReadableText.seconds(result.seconds()) + ", by the " + result.engine()
                        + " engine.");
        if (report.rows().componentCount() > 0) {
            LakeRow.Component largest = report.rows().components().get(0);
            page.text(" " + ReadableText.counted(report.rows().componentCount(), "component") + "; the largest has "
                    + ReadableText.counted(largest.txnCount(), "transaction") + " and took "
                    + ReadableText.seconds(largest.seconds()) + ".");
        }
        page.raw("</p>");
        endFolded();
    }

    private void count(@Nullable Long number) {
        page.raw("<td class=\"number\">")
                .text(number == null ? "–" : ReadableText.number(number))
                .raw("</td>");
    }

    private void size(@Nullable Long bytes) {
        page.raw("<td class=\"number\">")
                .text(bytes == null ? "–" : ReadableText.bytes(bytes))
                .raw("</td>");
    }

    private void provenance() {
        beginFolded("provenance", "Provenance", "run " + run.runId(), false);
        page.raw("<dl class=\"facts provenance\">");
        fact("History", run.facts().historyUri());
        fact("Content", run.facts().inputFingerprint());
        fact("Run", run.runId());
        if (run.facts().batchId() != null) {
            fact("Batch", run.facts().batchId());
        }
        fact("Began", run.facts().startedAt().toString());
        fact("Ended", run.facts().finishedAt().toString());
        fact("Checker", "nightjar " + run.facts().checkerVersion() + ", " + result.engine() + " engine");
        fact("Lake", OverviewMarkup.locationOf(lake));
        StringBuilder options = new StringBuilder();
        ReportJson.members(run.facts().optionsJson())
                .forEach((name, value) -> options.append(options.isEmpty() ? "" : ", ")
                        .append(name)
                        .append(' ')
                        .append(value));
        fact("Options", options.isEmpty() ? "none" : options.toString());
        page.raw("</dl>");
        endFolded();
    }

    private void fact(String name, String value) {
        page.raw("<div><dt>")
                .text(name)
                .raw("</dt><dd>")
                .value(AnomalyMarkup.cut(value, MAX_REASON_CHARS))
                .raw("</dd></div>");
    }
}
