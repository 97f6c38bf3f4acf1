package io.nightjar.jobs.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Document of measured results: tables of plans, and kernels. */
public final class PerformancePage {

    private static final String KERNELS =
            """

            ## Kernels

            Measured with JMH on one thread (`bench/measure.sh --kernels`). A score is the time for a whole history of the given size; the error is a 99.9 % interval.
            Allocated bytes are also per history. `AllocationTest` holds kernels to their promise of allocating nothing per operation.

            """;

    private record Section(BenchPlan plan, String text) {}

    private PerformancePage() {}

    /**
     * Returns the document.
     *
     * @param folder contains the folders of results, and the measurements of JMH
     * @param pictures the same folder, relative to the document
     */
    public static String of(Path folder, String pictures, PlanReader plans) throws IOException {
        StringBuilder text = new StringBuilder(preface());
        for (Section section : sections(folder, pictures, plans)) {
            text.append('\n').append(section.text());
        }
        List<Path> kernels = KernelTable.filesIn(folder);
        if (!kernels.isEmpty()) {
            text.append(KERNELS);
            Path about = folder.resolve("kernels.md");
            if (Files.exists(about)) {
                text.append(Files.readString(about)).append('\n');
            }
            BenchPage.markdown(text, KernelTable.rows(kernels));
        }
        return text.toString().stripTrailing() + "\n";
    }

    private static List<Section> sections(Path folder, String pictures, PlanReader plans) throws IOException {
        List<Section> sections = new ArrayList<>();
        for (Path each : ResultsFile.foldersIn(folder)) {
            ResultsFile results = ResultsFile.existing(each);
            for (String name : results.plans()) {
                BenchPlan plan = plans.plan(name);
                sections.add(section(plan, BenchPage.of(plan, results), pictures + "/" + each.getFileName()));
            }
        }
        sections.sort(Comparator.<Section>comparingInt(
                        section -> section.plan().heading().position())
                .thenComparing(section -> section.plan().heading().name()));
        return sections;
    }

    private static Section section(BenchPlan plan, BenchPage page, String pictures) {
        return new Section(plan, page.markdown(pictures).stripTrailing() + "\n");
    }

    private static String preface() throws IOException {
        try (InputStream in = PerformancePage.class.getResourceAsStream("performance.md")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
