package io.nightjar.formats.history;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method for NullAway: it is called before all others and sets fields that a constructor cannot set yet. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface SetsFields {}
