package io.nightjar.jobs.bench;

import io.nightjar.formats.level.SpellingSuggestions;
import io.nightjar.jobs.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A mapping of a YAML file, read member by member; errors are reported with the file and the path to the member. */
final class PlanYaml {

    private final String location;
    private final Map<String, Object> members;

    private PlanYaml(String location, Map<String, Object> members) {
        this.location = location;
        this.members = members;
    }

    /** Parses a text whose top is a mapping. */
    static PlanYaml parse(String file, String text) {
        try {
            return of(
                    file,
                    new Load(LoadSettings.builder()
                                    .setLabel(file)
                                    .setAllowDuplicateKeys(false)
                                    .build())
                            .loadFromString(text));
        } catch (MarkedYamlEngineException wrong) {
            int line = wrong.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
            throw new UsageException("[" + file + " line=" + line + "] not YAML: " + wrong.getProblem());
        } catch (YamlEngineException wrong) {
            throw new UsageException("[" + file + "] not YAML: " + wrong.getMessage());
        }
    }

    private static PlanYaml of(String location, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new UsageException("[" + location + "] a mapping of names to values is wanted: found=" + value);
        }
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(String.valueOf(name), member));
        return new PlanYaml(location, members);
    }

    /** Rejects unknown members. */
    void allow(String... names) {
        for (String name : members.keySet()) {
            if (!List.of(names).contains(name)) {
                throw wrong("unknown member: name=" + name
                        + SpellingSuggestions.hint(name, List.of(names), " known=" + String.join(",", names)));
            }
        }
    }

    UsageException wrong(String what) {
        return new UsageException("[" + location + "] " + what);
    }

    boolean has(String name) {
        return members.get(name) != null;
    }

    String text(String name) {
        Object value = members.get(name);
        if (value == null || value instanceof Map || value instanceof List) {
            throw wrong("a text is wanted: name=" + name + " found=" + value);
        }
        return String.valueOf(value);
    }

    String text(String name, String otherwise) {
        return has(name) ? text(name) : otherwise;
    }

    int number(String name, int otherwise) {
        if (!has(name)) {
            return otherwise;
        }
        if (members.get(name) instanceof Integer number && number > 0) {
            return number;
        }
        throw wrong("a positive number is wanted: name=" + name + " found=" + members.get(name));
    }

    PlanYaml child(String name) {
        return of(location + " " + name, members.get(name));
    }

    List<PlanYaml> children(String name) {
        List<PlanYaml> children = new ArrayList<>();
        for (Object child : list(name)) {
            children.add(of(location + " " + name + "[" + children.size() + "]", child));
        }
        return children;
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Object text : list(name)) {
            texts.add(String.valueOf(text));
        }
        return texts;
    }

    private List<?> list(String name) {
        if (!has(name)) {
            return List.of();
        }
        if (members.get(name) instanceof List<?> list) {
            return list;
        }
        throw wrong("a list is wanted: name=" + name + " found=" + members.get(name));
    }

    /** Returns the names of all members. */
    List<String> names() {
        return List.copyOf(members.keySet());
    }

    /** Returns all members as texts, which must be plain values. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        members.keySet().forEach(name -> texts.put(name, text(name)));
        return texts;
    }
}
