package io.nightjar.datasets.generate;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Looks enum constants up by the word that users write. */
final class EnumLookup {

    private EnumLookup() {}

    static <E extends Enum<E>> E find(E[] choices, Function<E, String> wordOf, String what, String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        for (E choice : choices) {
            if (wordOf.apply(choice).equals(wanted)) {
                return choice;
            }
        }
        String known = Arrays.stream(choices).map(wordOf).collect(Collectors.joining("|"));
        throw new IllegalArgumentException("unknown " + what + ": " + what + "=" + name + " expected=" + known);
    }
}
