/**
 * A JDBC driver around another one: {@code jdbc:nightjar:postgresql://…} is {@code jdbc:postgresql://…}, and what goes through it is archived
 * as a history, statement by statement. It lives in other people's applications, so it knows the JDK only.
 */
@NullMarked
package io.nightjar.jdbc;

import org.jspecify.annotations.NullMarked;
