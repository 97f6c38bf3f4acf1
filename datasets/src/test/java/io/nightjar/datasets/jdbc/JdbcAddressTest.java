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
    void missingDriverIsReportedWithArtifactAndWithoutPassword() {
        assertThatThrownBy(() ->
                        JdbcAddress.of("jdbc:mysql://h/x?password=geheim", null, null, null, Duration.ofSeconds(1)))
                .hasMessageStartingWith(
                        "driver missing: class=com.mysql.cj.jdbc.Driver artifact=com.mysql:mysql-connector-j; fetch its jar");
        assertThatThrownBy(() -> JdbcAddress.of(
                        "jdbc:oracle:thin:@//h/x;password=geheim", null, null, null, Duration.ofSeconds(1)))
                .hasMessage("no driver for this address: url=jdbc:oracle:thin:@//h/x;password=***"
                        + " artifact=com.oracle.database.jdbc:ojdbc11; fetch its jar from Maven Central and name it"
                        + " with --driver");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlserver://h, artifact=com.microsoft.sqlserver:mssql-jdbc",
        "jdbc:db2://h/x, artifact=com.ibm.db2:jcc",
        "jdbc:yugabytedb://h/x, artifact=com.yugabyte:jdbc-yugabytedb",
        "jdbc:cockroachdb://h/x, write jdbc:postgresql://HOST:26257/DATABASE",
        "jdbc:tidb://h/x, write jdbc:mysql://HOST:4000/DATABASE",
        "jdbc:nobody:x, name its jar with --driver",
    })
    void otherDatabasesAreRejectedWithAdvice(String url, String advice) {
        assertThatThrownBy(() -> JdbcAddress.of(url, null, null, null, Duration.ofSeconds(1)))
                .hasMessageContaining(advice);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://u:geheim@h/db, jdbc:postgresql://u:***@h/db",
        "jdbc:postgresql://h/db?password=geheim&ssl=true, jdbc:postgresql://h/db?password=***&ssl=true",
        "jdbc:h2:mem:x;USER=sa;PASSWORD=geheim;MODE=x, jdbc:h2:mem:x;USER=sa;PASSWORD=***;MODE=x",
        "jdbc:postgresql://h/db?sslpassword=geheim, jdbc:postgresql://h/db?sslpassword=***",
        "jdbc:postgresql://me:ge/heim@h/db, jdbc:postgresql://me:***@h/db",
        "jdbc:postgresql://me:ge?heim@h/db, jdbc:postgresql://me:***@h/db",
        "jdbc:postgresql://me:g@heim@h/db?user=a@b, jdbc:postgresql://me:***@h/db?user=a@b",
        "jdbc:postgresql://h:5432/db?user=a@b, jdbc:postgresql://h:5432/db?user=a@b",
        "'jdbc:mariadb://h:1,i:2/db?user=a@b', 'jdbc:mariadb://h:1,i:2/db?user=a@b'",
        "jdbc:oracle:thin:scott/geheim@//h/x, jdbc:oracle:thin:scott/***@//h/x",
        "jdbc:h2:mem:x;CIPHER=AES;PASSWORD=ge heim;MODE=x, jdbc:h2:mem:x;CIPHER=AES;PASSWORD=***;MODE=x",
        "jdbc:h2:mem:x;PASSWORD=g&e\\;heim;MODE=x, jdbc:h2:mem:x;PASSWORD=***;MODE=x",
        "jdbc:sqlserver://h;password={ge;he}}im};encrypt=true, jdbc:sqlserver://h;password=***;encrypt=true",
        "jdbc:oracle:thin:scott/\"ge@heim\"@//h/x, jdbc:oracle:thin:scott/***@//h/x",
        "'jdbc:mysql://(host=h,user=u,password=geheim)/db', 'jdbc:mysql://(host=h,user=u,password=***)/db'",
        "jdbc:clickhouse:http://u:geheim@h:8123/db, jdbc:clickhouse:http://u:***@h:8123/db",
        "jdbc:derby:db;bootPassword=geheim;create=true, jdbc:derby:db;bootPassword=***;create=true",
        "jdbc:hsqldb:file:x;crypt_key=604a;crypt_type=AES, jdbc:hsqldb:file:x;crypt_key=***;crypt_type=AES",
        "jdbc:sqlite:x.db?cipher=sqlcipher&key=geheim&hexkey=ab12, jdbc:sqlite:x.db?cipher=sqlcipher&key=***&hexkey=***",
        "jdbc:postgresql://h/db?sslkey=/k&sslpassword=ge%26heim, jdbc:postgresql://h/db?sslkey=/k&sslpassword=***",
    })
    void passwordsOfAddressesAreNotShown(String url, String shown) {
        assertThat(JdbcAddress.redactUrl(url)).isEqualTo(shown);
    }

    /** Drivers quote text that they could not parse. */
    @ParameterizedTest
    @CsvSource({
        "jdbc:mariadb://me:s3kret@127.0.0.1:1/t, Incorrect port value : s3kret@127.0.0.1, Incorrect port value : ***@127.0.0.1",
        "jdbc:postgresql://me:s3kret@h:1/t, UnknownHostException: me:s3kret@h, UnknownHostException: me:***@h",
        "jdbc:postgresql://me:s3/kret@h:1/t, invalid port s3 at kret@h, invalid port *** at ***@h",
        "jdbc:h2:mem:x;CIPHER=AES;PASSWORD=fileB userC, for fileB and PASSWORD=fileB userC, for *** and PASSWORD=***",
        "jdbc:postgresql://h/t?password=a%2Fbc, was a/bc or a%2Fbc, was *** or ***",
        "jdbc:sqlserver://h;password={ge;heim}, login with ge;heim: {ge;heim}, login with ***: ***",
        "jdbc:oracle:thin:scott/\"ge@heim\"@//h/x, no host heim\"@ for ge@heim, no host ***@ for ***",
        "jdbc:sqlite:x?key=geheim, wrong key geheim; Key = 5 is there, wrong key ***; Key = 5 is there",
    })
    void passwordsOfTheAddressAreInNoMessage(String url, String message, String shown) {
        assertThat(PasswordRedactor.of(url).hide(message)).isEqualTo(shown);
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
