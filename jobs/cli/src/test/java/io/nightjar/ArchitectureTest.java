package io.nightjar;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.conditions.ArchConditions.haveSimpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.nightjar.fixtures.Seeds;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;

/** The permitted dependencies, as in docs/architecture.md. A rule that matches no class at all fails as well. */
class ArchitectureTest {

    private static final String[] FORMATS_MODEL = {
        "io.nightjar.formats.history..", "io.nightjar.formats.level..", "io.nightjar.formats.finding.."
    };

    /** The packages of commands: the shared ones, the packages of modules that bring commands, and the command line. */
    private static final String[] COMMANDS = {
        "io.nightjar.jobs.cli..",
        "io.nightjar.jobs.command..",
        "io.nightjar.jobs.options..",
        "io.nightjar.jobs.*.command.."
    };

    private static JavaClasses ours;
    private static JavaClasses tests;

    @BeforeAll
    static void importTheClassesOfAllModules() {
        ours = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("io.nightjar");
        tests = new ClassFileImporter()
                .withImportOption(new ImportOption.OnlyIncludeTests())
                .importPaths(testClassesOfAllModules());
    }

    @Test
    void theRulesSeeEveryModule() {
        for (String module : List.of("formats", "datasets", "pipeline", "jobs")) {
            assertThat(ours.that(resideInAPackage("io.nightjar." + module + "..")))
                    .as(module)
                    .isNotEmpty();
        }
    }

    @Test
    void dataFlowsFromFormatsThroughPipelineToJobs() {
        check(layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("formats")
                .definedBy("io.nightjar.formats..")
                .layer("datasets")
                .definedBy("io.nightjar.datasets..")
                .layer("pipeline")
                .definedBy("io.nightjar.pipeline..")
                .layer("jobs")
                .definedBy("io.nightjar.jobs..")
                .whereLayer("jobs")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("pipeline")
                .mayOnlyBeAccessedByLayers("jobs")
                .whereLayer("datasets")
                .mayOnlyBeAccessedByLayers("jobs")
                .whereLayer("formats")
                .mayOnlyBeAccessedByLayers("datasets", "pipeline", "jobs"));
    }

    @Test
    void onlyClustersAndTheEngineForThemKnowFlink() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("io.nightjar.jobs.flink..", "io.nightjar.jobs.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink.."));
    }

    @Test
    void enginesDoNotKnowEachOther() {
        check(slices().matching("io.nightjar.jobs.(local|flink)..").should().notDependOnEachOther());
    }

    @Test
    void sharedEngineCodeDependsOnNoEngine() {
        check(noClasses()
                .that()
                .resideInAnyPackage("io.nightjar.jobs.read..", "io.nightjar.jobs.check..", "io.nightjar.jobs.run..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.nightjar.jobs.local..", "io.nightjar.jobs.flink.."));
    }

    @Test
    void clustersKnowNoHistories() {
        check(noClasses()
                .that()
                .resideInAPackage("io.nightjar.jobs.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.nightjar.formats..", "io.nightjar.pipeline..", "io.nightjar.datasets.."));
    }

    @Test
    void onlyFormatsKnowParquetAndArrow() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.nightjar.formats.parquet..",
                        "io.nightjar.formats.arrow..",
                        "io.nightjar.formats.avro..",
                        "io.nightjar") // records generated for the module of Avro
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.parquet..",
                        "shaded.parquet..",
                        "org.apache.avro..",
                        "org.apache.arrow..",
                        "org.apache.hadoop.."));
    }

    @Test
    void onlyTheCommandsKnowTheCommandLine() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(COMMANDS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "io.nightjar.jobs.cli.."));
    }

    @Test
    void onlyTheSqlOfMocksKnowsH2() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.nightjar.jobs.mock.sql..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.h2.."));
    }

    @Test
    void mocksKnowNoEngineAndNoLake() {
        check(noClasses()
                .that()
                .resideInAPackage("io.nightjar.jobs.mock..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.nightjar.jobs.local..", "io.nightjar.jobs.flink..", "io.nightjar.jobs.lake.."));
    }

    @Test
    void applicationDriverDependsOnlyOnJdk() {
        String driver = "io.nightjar.jdbc..";
        check(classes()
                .that()
                .resideInAPackage(driver)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(driver, "java..", "javax..", "org.jspecify..")); // annotations need not be there
        check(noClasses()
                .that()
                .resideOutsideOfPackage(driver)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(driver));
    }

    @Test
    void pipelineReadsNoFiles() {
        check(noClasses()
                .that()
                .resideInAPackage("io.nightjar.pipeline..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "java.net..")
                                .and(DescribedPredicate.not(type(Serializable.class)))));
    }

    @Test
    void pipelineKnowsOnlyTheModelOfFormats() {
        check(noClasses()
                .that()
                .resideInAPackage("io.nightjar.pipeline..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.nightjar.formats..")
                        .and(DescribedPredicate.not(resideInAnyPackage(FORMATS_MODEL)))));
    }

    @Test
    void checkersDoNotKnowEachOther() {
        check(slices().matching("io.nightjar.pipeline.check.(*)..").should().notDependOnEachOther());
    }

    @Test
    void graphKnowsNoTransactions() {
        check(noClasses()
                .that()
                .resideInAnyPackage("io.nightjar.pipeline.primitive..", "io.nightjar.pipeline.graph..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.nightjar..")
                        .and(DescribedPredicate.not(resideInAnyPackage(
                                "io.nightjar.pipeline.primitive..", "io.nightjar.pipeline.graph..")))));
    }

    @Test
    void theVerifierKnowsOnlyTheModel() {
        check(noClasses()
                .that()
                .resideInAPackage("io.nightjar.pipeline.verify..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.nightjar..")
                        .and(DescribedPredicate.not(resideInAPackage("io.nightjar.pipeline.verify..")))
                        .and(DescribedPredicate.not(resideInAnyPackage(FORMATS_MODEL)))));
    }

    @Test
    void findingProducersDoNotDependOnVerifier() {
        check(noClasses()
                .that()
                .resideInAPackage("io.nightjar.pipeline..")
                .and()
                .resideOutsideOfPackage("io.nightjar.pipeline.verify..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.nightjar.pipeline.verify.."));
    }

    @Test
    void theModelKnowsNoTranslation() {
        check(noClasses()
                .that()
                .resideInAnyPackage(FORMATS_MODEL)
                .should()
                .dependOnClassesThat(resideInAPackage("io.nightjar.formats..")
                        .and(DescribedPredicate.not(resideInAnyPackage(FORMATS_MODEL)))));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("io.nightjar.(**)").should().beFreeOfCycles());
    }

    /**
     * State of the process and not of a run: its own locked files, numbers for names, the terminal, standard input for
     * the tasks of a cluster inside, the shapes of an application's statements.
     */
    private static final Set<String> STATE_OF_THE_PROCESS = Set.of(
            "EmbeddedInput",
            "StaleTempFiles",
            "ScratchFolder",
            "StatementParser",
            "SqlEngine",
            "TableMaker",
            "Terminal");

    @Test
    void noStateIsStatic() {
        Set<String> found = new TreeSet<>();
        for (JavaClass one : ours) {
            boolean hasVariable = one.getFields().stream()
                    .anyMatch(field -> field.getModifiers().contains(JavaModifier.STATIC)
                            && !field.getModifiers().contains(JavaModifier.FINAL)
                            && !field.getModifiers().contains(JavaModifier.SYNTHETIC));
            boolean makesShared = one.getStaticInitializer().stream()
                    .flatMap(initializer -> initializer.getCallsFromSelf().stream())
                    .map(call -> call.getTargetOwner())
                    .anyMatch(owner -> owner.getPackageName().startsWith("java.util.concurrent")
                                    && !owner.isEquivalentTo(TimeUnit.class)
                            || owner.isAssignableTo(ThreadLocal.class));
            if (hasVariable || makesShared) {
                found.add(one.getSimpleName());
            }
        }
        assertThat(found).isEqualTo(new TreeSet<>(STATE_OF_THE_PROCESS));
    }

    /** Their components are columns, of tables or of rows as they were read, whose names and order are given. */
    private static final Set<String> RECORDS_OF_COLUMNS = Set.of(
            "formats.finding.Finding",
            "formats.finding.Finding$Edge",
            "pipeline.verify.RawTables$Op",
            "jobs.lake.LakeRow$Anomaly",
            "jobs.lake.LakeRow$AnomalyEdge",
            "jobs.lake.LakeRow$AnomalyTxn",
            "jobs.lake.LakeRow$Run",
            "jobs.lake.LakeRow$Stage",
            "jobs.lake.LakeRow$VerdictChange",
            "jobs.lake.LakeRow$WatchInterval");

    private static final int MAX_COMPONENTS = 8;

    @Test
    void recordsWithManyComponentsHaveRecordsInThem() {
        Set<String> found = new TreeSet<>();
        for (JavaClass one : ours) {
            long components = one.getFields().stream()
                    .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                    .count();
            if (one.isRecord() && components > MAX_COMPONENTS) {
                found.add(one.getName().replaceFirst("^io\\.nightjar\\.", ""));
            }
        }
        assertThat(found).isEqualTo(new TreeSet<>(RECORDS_OF_COLUMNS));
    }

    @Test
    void messagesBetweenTasksAreSerializableRecords() {
        check(classes()
                .that()
                .resideInAPackage("io.nightjar.jobs.flink..")
                .and()
                .haveSimpleNameEndingWith("Message")
                .should()
                .beRecords()
                .andShould()
                .beAssignableTo(Serializable.class));
    }

    @Test
    void noStreamsInKernels() {
        check(noClasses()
                .that()
                .resideInAnyPackage(
                        "io.nightjar.pipeline.primitive..",
                        "io.nightjar.pipeline.graph..",
                        "io.nightjar.pipeline.partition..",
                        "io.nightjar.pipeline.check..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.stream.."));
    }

    @Test
    void onlyTheCommandsPrint() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(COMMANDS)
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace"));
    }

    @Test
    void onlyMainsEndTheProcess() {
        check(noClasses()
                .that(DescribedPredicate.not(haveMain()))
                .and()
                .doNotHaveSimpleName("StopSignals")
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class));
    }

    @Test
    void testsAreNamedSoThatTheyRun() {
        ArchRule rule = classes()
                .that(containTests())
                .and()
                .doNotHaveModifier(JavaModifier.ABSTRACT)
                .should(haveSimpleNameEndingWith("Test").or(haveSimpleNameEndingWith("ITCase")));

        assertThat(tests).isNotEmpty();
        rule.check(tests);
    }

    /** Tests of processes run in the slow suites only, and tests that take few seeds elsewhere take all of them there. */
    @Test
    void processAndRandomTestsRunInSlowSuites() {
        for (JavaClass test : tests.that(containTests())) {
            if (test.getSimpleName().endsWith("ITCase")) {
                assertThat(isTagged(test, "slow")).as(test.getName()).isTrue();
            } else if (takesSeeds(test)) {
                assertThat(isTagged(test, Seeds.TAG)
                                || test.getMethods().stream()
                                        .anyMatch(method -> isTagged(method, Seeds.TAG) || isTagged(method, "slow")))
                        .as(test.getName())
                        .isTrue();
            }
        }
    }

    private static boolean takesSeeds(JavaClass test) {
        return test.getMethodCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Seeds.class)
                        && Set.of("upTo", "rounds", "stride").contains(call.getName()));
    }

    private static boolean isTagged(HasAnnotations<?> test, String tag) {
        return test.isAnnotatedWith(Tag.class)
                && test.getAnnotationOfType(Tag.class).value().equals(tag);
    }

    /** Distributions do not contain these annotations. */
    @Test
    void noClassReadsAnnotationsOfNulls() {
        assertThat(ours.stream().flatMap(one -> one.getReferencedClassObjects().stream()))
                .noneMatch(used -> used.getRawType().getPackageName().startsWith("org.jspecify"));
    }

    /** So that NullAway reads all code but tests. */
    @Test
    void allPackagesAreNullMarked() throws IOException {
        try (Stream<Path> files = Files.walk(root())) {
            List<Path> packages = files.filter(file -> file.toString().matches(".*/src/main/java/.*[.]java"))
                    .map(Path::getParent)
                    .distinct()
                    .toList();
            assertThat(packages).hasSizeGreaterThan(60);
            for (Path each : packages) {
                if (!isWithoutCode(each)) {
                    assertThat(each.resolve("package-info.java")).content().contains("@NullMarked");
                }
            }
        }
    }

    private static boolean isWithoutCode(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .allMatch(file -> file.endsWith("package-info.java"));
        }
    }

    private static void check(ArchRule rule) {
        rule.check(ours);
    }

    private static DescribedPredicate<JavaClass> haveMain() {
        return DescribedPredicate.describe("have a main method", type -> type.tryGetMethod("main", String[].class)
                .isPresent());
    }

    private static DescribedPredicate<JavaClass> containTests() {
        return DescribedPredicate.describe(
                "contain tests of their own",
                type -> !type.getModifiers().contains(JavaModifier.ABSTRACT)
                        && type.getMethods().stream().anyMatch(ArchitectureTest::isTest));
    }

    private static boolean isTest(JavaMethod method) {
        return method.isAnnotatedWith(Test.class)
                || method.isAnnotatedWith(ParameterizedTest.class)
                || method.isAnnotatedWith(RepeatedTest.class)
                || method.isAnnotatedWith(TestFactory.class);
    }

    private static List<Path> testClassesOfAllModules() {
        return Stream.of(
                        "formats",
                        "formats/avro",
                        "datasets",
                        "pipeline",
                        "jobs/jdbc",
                        "jobs/kafka",
                        "jobs/objects",
                        "jobs/command",
                        "jobs/lake",
                        "jobs/engine",
                        "jobs/report",
                        "jobs/record",
                        "jobs/mock",
                        "jobs/bench",
                        "jobs/watch",
                        "jobs/flink",
                        "jobs/cli")
                .map(module -> root().resolve(module).resolve("target").resolve("test-classes"))
                .filter(Files::isDirectory)
                .toList();
    }

    private static Path root() {
        return Path.of("").toAbsolutePath().getParent().getParent();
    }
}
