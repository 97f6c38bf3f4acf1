package io.nightjar.formats.topic;

import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Opens topics whose addresses have a specific scheme, such as {@code kafka://}; a service that an optional jar
 * provides.
 */
public interface TopicOpener {

    /** Returns the scheme before {@code ://}, in lower case. */
    String scheme();

    /**
     * Creates a reader that has not started.
     *
     * @param address the part after {@code ://}
     * @throws IllegalArgumentException if the address is invalid
     * @throws IOException if a file that it names cannot be read
     */
    TopicReader open(String address) throws IOException;

    /** Returns the opener for topics of a scheme. */
    static Optional<TopicOpener> of(String scheme) {
        Iterator<TopicOpener> all = ServiceLoader.load(TopicOpener.class, TopicOpener.class.getClassLoader())
                .iterator();
        while (all.hasNext()) {
            TopicOpener opener = all.next();
            if (opener.scheme().equals(scheme)) {
                return Optional.of(opener);
            }
        }
        return Optional.empty();
    }
}
