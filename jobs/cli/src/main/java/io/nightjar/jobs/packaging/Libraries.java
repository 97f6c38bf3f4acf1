package io.nightjar.jobs.packaging;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The jars that an application loads, by the part of a distribution that needs them: the core, or an add-on. The build
 * stores in each module the names of the jars that the module needs.
 */
public final class Libraries {

    /** Modules that are add-ons, by the names of these; every other module belongs to the core. */
    private static final Map<String, String> ADD_ON_OF = Map.of(
            "nightjar-bench-command", "bench",
            "nightjar-flink", "flink",
            "nightjar-kafka", "kafka",
            "nightjar-mock", "mock",
            "nightjar-record", "record",
            "nightjar-watch", "watch");

    /** Jars of the logger, which more than one add-on uses. */
    private static final List<String> LOGGER = List.of("slf4j-api", "slf4j-jdk14");

    private static final String OURS = "nightjar-";

    private static final Pattern JAR = Pattern.compile("(?:.*/)?(.+?)(?:-\\d[^/]*)?\\.jar");

    private final List<Path> all;
    private final List<Path> core;
    private final Map<String, List<Path>> addOns = new TreeMap<>();

    private Libraries(List<Path> all) throws IOException {
        this.all = all;
        Set<String> ofAddOns = new HashSet<>();
        Set<String> ofCore = new HashSet<>(LOGGER);
        Map<String, Set<String>> neededBy = new TreeMap<>();
        for (Path jar : all) {
            Set<String> needed = neededBy(jar);
            String addOn = ADD_ON_OF.get(artifact(jar));
            if (addOn == null) {
                ofCore.addAll(needed);
            } else {
                ofAddOns.addAll(needed);
                neededBy.put(addOn, needed);
            }
        }
        core = all.stream()
                .filter(jar -> ofCore.contains(artifact(jar)) || !ofAddOns.contains(artifact(jar)))
                .toList();
        neededBy.forEach((addOn, needed) -> addOns.put(
                addOn,
                all.stream()
                        .filter(jar -> needed.contains(artifact(jar)) && !core.contains(jar))
                        .toList()));
    }

    /** Returns the jars in a folder. */
    public static Libraries in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new Libraries(files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList());
        }
    }

    public List<Path> all() {
        return all;
    }

    public List<Path> core() {
        return core;
    }

    /** Returns the jars of each add-on that are not in the core, by the name of the add-on. */
    public Map<String, List<Path>> addOns() {
        return addOns;
    }

    /** Returns the names of a module and the jars that it needs, without versions; none for a jar of another project. */
    private static Set<String> neededBy(Path jar) throws IOException {
        Set<String> names = new HashSet<>();
        if (artifact(jar).startsWith(OURS)) {
            names.add(artifact(jar));
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            ZipEntry list = file.getEntry("META-INF/nightjar/" + artifact(jar) + ".libraries");
            if (list != null) {
                try (InputStream in = file.getInputStream(list)) {
                    List<String> jars = new ArrayList<>(
                            List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("[:\\s]+")));
                    jars.removeIf(String::isEmpty);
                    jars.forEach(name -> names.add(artifact(name)));
                }
            }
        }
        return names;
    }

    private static String artifact(Path jar) {
        return artifact(requireNonNull(jar.getFileName()).toString());
    }

    /** Returns the name of a jar without its folder and version. */
    static String artifact(String jar) {
        Matcher name = JAR.matcher(jar);
        return name.matches() ? name.group(1) : jar;
    }
}
