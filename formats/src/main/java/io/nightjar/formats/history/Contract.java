package io.nightjar.formats.history;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says to NullAway what a method returns for what it is given: {@code !null -> !null} returns null only for null. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Contract {
    String value();
}
