package io.nightjar.jobs.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The document about performance: what several plans measured, the kernels, and a model of more cores. */
public final class PerformancePage {

    private static final String MODEL =
            """

            ### On machines that were not at hand

            A model, not a measurement: readers, the one thread that relates rows to rows before them, sweeps of parts of the keys, the compilers and links of 10 Gbit/s between
            machines are simulated event by event. What each costs is the CPU of a check on one core, divided among the threads as the profile divides it; a start and the
            collector's pauses are added. Caches and memory are taken to be without limit, and code to be as fast at the start as at the end. The row of one core says little more
            than that nothing waits there, for the costs are taken from it; the row of all cores that were at hand is the test, and its error is what to expect of the others at
            least. What a start costs and what one thread does bound the gain ([decision 0085](decisions/0085-faster-is-said-of-five-rounds.md)).

            """;

    private static final String KERNELS =
            """

            ## Kernels

            Measured with JMH on one thread (`bench/measure.sh --kernels`); a score is the time for a whole history, as large as the column of parameters says. If rounds are alike, the mean lies within the error of it 999 times in 1,000.
            What is allocated counts bytes of a whole history too: kernels that promise to allocate nothing an operation are held to it by `AllocationTest`.

            """;

    private record Section(BenchPlan plan, String text) {}

    private PerformancePage() {}

    /**
     * Returns the document.
     *
     * @param folder where folders of results lie, and what JMH measured
     * @param pictures the same folder, as seen from the document
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
                sections.add(section(plan, BenchPage.of(plan, results, plans), pictures + "/" + each.getFileName()));
            }
        }
        sections.sort(Comparator.<Section>comparingInt(
                        section -> section.plan().heading().place())
                .thenComparing(section -> section.plan().heading().name()));
        return sections;
    }

    private static Section section(BenchPlan plan, BenchPage page, String pictures) {
        StringBuilder text = new StringBuilder(page.markdown(pictures));
        List<List<String>> model = page.scalingRows();
        if (!model.isEmpty()) {
            text.append(MODEL);
            BenchPage.markdown(text, model);
        }
        return new Section(plan, text.toString().stripTrailing() + "\n");
    }

    private static String preface() throws IOException {
        try (InputStream in = PerformancePage.class.getResourceAsStream("performance.md")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
