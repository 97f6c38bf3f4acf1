package io.nightjar.formats.history;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method for NullAway: it sets fields that the constructor cannot set yet, before they are read. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface SetsFields {}
