/**
 * MySQL's protocol and dialect for clients of a mock: drivers of MySQL and MariaDB, and their command line clients.
 *
 * <p>Each client has a {@link io.nightjar.jobs.mock.mysql.MysqlConnection}, which reads its commands, and a {@code MysqlSession}, which runs statements. {@code MysqlDialect} rewrites a statement for H2.
 *
 * <p>Read {@link io.nightjar.jobs.mock.mysql.MysqlConnection} first.
 */
@NullMarked
package io.nightjar.jobs.mock.mysql;

import org.jspecify.annotations.NullMarked;
