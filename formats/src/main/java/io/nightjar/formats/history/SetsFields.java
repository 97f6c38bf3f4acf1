package io.nightjar.formats.history;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says to NullAway that a method is called before all others, and sets fields that a constructor cannot set yet. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface SetsFields {}
