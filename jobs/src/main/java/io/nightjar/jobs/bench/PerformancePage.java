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

    private final Path folder;
    private final String pictures;
    private final List<Section> sections = new ArrayList<>();

    private static final String MODEL =
            """

            ### On machines that were not at hand

            A model, not a measurement: readers, the one thread that relates rows to rows before them, links of 10 Gbit/s between machines and lanes are simulated event by
            event. What each costs is the CPU of one thread, divided among the threads as the profile above divides it; a start and the collector's pauses are added, caches and
            memory are taken to be without limit. Where as many cores were at hand, it is held against what was measured.

            """;

    private record Section(BenchPlan plan, String text) {}

    /**
     * @param folder where folders of results lie, and what JMH measured
     * @param pictures the same folder, as seen from the document
     */
    public PerformancePage(Path folder, String pictures) {
        this.folder = folder;
        this.pictures = pictures;
    }

    /** Adds what a plan measured. */
    public void add(BenchPlan plan, Path results, BenchPage page) {
        StringBuilder text = new StringBuilder(page.markdown(pictures + "/" + results.getFileName()));
        List<List<String>> model = page.scalingRows();
        if (!model.isEmpty()) {
            text.append(MODEL);
            BenchPage.markdown(text, model);
        }
        sections.add(new Section(plan, text.toString().stripTrailing() + "\n"));
    }

    /** Returns the document. */
    public String text() throws IOException {
        StringBuilder text = new StringBuilder(preface());
        sections.stream()
                .sorted(Comparator.<Section>comparingInt(
                                section -> section.plan().place())
                        .thenComparing(section -> section.plan().name()))
                .forEach(section -> text.append('\n').append(section.text()));
        Path kernels = folder.resolve("kernels.json");
        if (Files.exists(kernels)) {
            text.append(
                    """

                    ## Kernels

                    Measured with JMH on one thread (`bench/micro.sh -prof gc -rf json -rff bench/results/kernels.json`); a score is the time for a whole history. What is allocated
                    counts bytes of a whole history too: kernels that promise to allocate nothing an operation are held to it by `AllocationTest`.

                    """);
            BenchPage.markdown(text, KernelTable.rows(kernels));
        }
        return text.toString();
    }

    private static String preface() throws IOException {
        try (InputStream in = PerformancePage.class.getResourceAsStream("performance.md")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
