package io.nightjar.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KustomizeTest {

    private static final String HEAD = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";

    @TempDir
    private Path folder;

    @BeforeEach
    void writeABase() throws IOException {
        write("base/kustomization.yaml", HEAD + "resources: [pod.yaml]\n");
        write("base/pod.yaml", "kind: Pod\nmetadata: {name: a}\nspec: {items: [1, 2], text: old}\n");
    }

    @Test
    void resourcesComponentsAndPatchesMakeOne() throws IOException {
        write(
                "part/kustomization.yaml",
                "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [b.yaml]\n");
        write("part/b.yaml", "kind: ConfigMap\nmetadata: {name: b}\n");
        write(
                "top/kustomization.yaml",
                HEAD + "namespace: n\nresources: [../base]\ncomponents: [../part]\n" + patch("a"));
        write(
                "top/p.yaml",
                """
                - {op: add, path: /spec/items/-, value: 3}
                - {op: add, path: /spec/items/0, value: 0}
                - {op: replace, path: /spec/text, value: new}
                - {op: move, from: /spec/items/1, path: /spec/moved}
                - {op: remove, path: /spec/items/0}
                """);

        List<ObjectNode> built = Kustomize.build(folder.resolve("top"));

        assertThat(built)
                .extracting(ObjectNode::toString)
                .containsExactly(
                        "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"},"
                                + "\"spec\":{\"items\":[2,3],\"text\":\"new\",\"moved\":1}}",
                        "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"b\",\"namespace\":\"n\"}}");
    }

    @Test
    void aPatchWithoutATargetIsRefused() throws IOException {
        write("top/kustomization.yaml", HEAD + "resources: [../base]\n" + patch("other"));
        write("top/p.yaml", "[]");

        assertRefused("patch does not hit one resource");
    }

    @Test
    void aPathThatLeadsNowhereIsRefused() throws IOException {
        write("top/kustomization.yaml", HEAD + "resources: [../base]\n" + patch("a"));
        for (String operation : List.of(
                "{op: replace, path: /spec/texts, value: 1}",
                "{op: add, path: /specs/text, value: 1}",
                "{op: add, path: /spec/items/7, value: 1}",
                "{op: remove, path: /spec/items/7}",
                "{op: move, from: /spec/none, path: /spec/text}")) {
            write("top/p.yaml", "- " + operation + "\n");

            assertRefused("path leads nowhere");
        }
    }

    @Test
    void aFieldThatIsNotInterpretedIsRefused() throws IOException {
        write("top/kustomization.yaml", HEAD + "resources: [../base]\nnamePrefix: x-\n");

        assertRefused("unknown field: field=namePrefix");
    }

    @Test
    void aFileAboveTheFolderIsRefused() throws IOException {
        write("top/kustomization.yaml", HEAD + "resources: [../base/pod.yaml]\n");

        assertRefused("file outside of the folder");
    }

    @Test
    void aResourceThatIsThereTwiceIsRefused() throws IOException {
        write("top/kustomization.yaml", HEAD + "resources: [../base, pod.yaml]\n");
        write("top/pod.yaml", "kind: Pod\nmetadata: {name: a}\n");

        assertRefused("resource twice: resource=Pod/a");
    }

    @Test
    void aComponentIsNoKustomization() throws IOException {
        write("top/kustomization.yaml", HEAD + "resources: []\ncomponents: [../base]\n");

        assertRefused("not a Component");
    }

    private static String patch(String name) {
        return "patches: [{path: p.yaml, target: {kind: Pod, name: " + name + "}}]\n";
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> Kustomize.build(folder.resolve("top")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
