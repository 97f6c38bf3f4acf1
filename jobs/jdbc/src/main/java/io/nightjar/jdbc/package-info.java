/**
 * A JDBC driver around another one: {@code jdbc:nightjar:postgresql://…} is {@code jdbc:postgresql://…}, and its
 * operations are archived as a history, statement by statement. It is embedded in applications of third parties, so it
 * depends only on the JDK.
 */
@NullMarked
package io.nightjar.jdbc;

import org.jspecify.annotations.NullMarked;
