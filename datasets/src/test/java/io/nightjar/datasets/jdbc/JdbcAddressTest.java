package io.nightjar.datasets.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses where no driver is on the class path. */
class JdbcAddressTest {

    @Test
    void aMissingDriverIsNamedWithItsArtifactAndWithoutThePassword() {
        assertThatThrownBy(() ->
                        JdbcAddress.of("jdbc:mysql://h/x?password=geheim", null, null, null, Duration.ofSeconds(1)))
                .hasMessageStartingWith(
                        "driver missing: class=com.mysql.cj.jdbc.Driver artifact=com.mysql:mysql-connector-j; fetch its jar");
        assertThatThrownBy(() -> JdbcAddress.of(
                        "jdbc:oracle:thin:@//h/x;password=geheim", null, null, null, Duration.ofSeconds(1)))
                .hasMessage("no driver for this address: url=jdbc:oracle:thin:@//h/x;password=***; name its jar with"
                        + " --driver, or use one of postgresql|mariadb|h2|hsqldb|sqlite|duckdb");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://u:geheim@h/db, jdbc:postgresql://u:***@h/db",
        "jdbc:postgresql://h/db?password=geheim&ssl=true, jdbc:postgresql://h/db?password=***&ssl=true",
        "jdbc:h2:mem:x;USER=sa;PASSWORD=geheim;MODE=x, jdbc:h2:mem:x;USER=sa;PASSWORD=***;MODE=x",
        "jdbc:postgresql://h/db?sslpassword=geheim, jdbc:postgresql://h/db?sslpassword=***",
    })
    void passwordsOfAddressesAreNotShown(String url, String shown) {
        assertThat(JdbcAddress.redactUrl(url)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, wrong, true",
        "08004, 'SCRAM-based authentication, but no password was provided', true",
        "08004, too many connections, false",
        "08001, refused, false",
    })
    void aPasswordIsAskedForWhereOneIsWanted(String state, String message, boolean isWanted) {
        assertThat(SqlFailure.isPasswordWanted(new SQLException(message, state)))
                .isEqualTo(isWanted);
    }
}
