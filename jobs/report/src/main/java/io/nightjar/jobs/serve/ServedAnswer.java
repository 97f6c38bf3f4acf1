package io.nightjar.jobs.serve;

import com.sun.net.httpserver.HttpExchange;
import io.nightjar.jobs.report.ReportPage;
import io.nightjar.jobs.sql.CellText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The response to one request. */
record ServedAnswer(int code, String type, byte[] body, Map<String, String> headers) {

    static ServedAnswer page(int code, String html) {
        return page(code, html.getBytes(StandardCharsets.UTF_8));
    }

    static ServedAnswer page(int code, byte[] html) {
        return new ServedAnswer(code, "text/html; charset=utf-8", html, Map.of());
    }

    static ServedAnswer json(int code, String json) {
        return new ServedAnswer(code, "application/json", json.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static ServedAnswer error(int code, String message) {
        return json(code, CellText.text(Map.of("error", message)));
    }

    static ServedAnswer csv(String csv) {
        return new ServedAnswer(
                200, "text/csv; charset=utf-8; header=present", csv.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static ServedAnswer text(int code, String text) {
        return new ServedAnswer(
                code, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8), Map.of());
    }

    ServedAnswer with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new ServedAnswer(code, type, body, more);
    }

    void send(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders()
                .set("Content-Security-Policy", ReportPage.policy(true) + "; frame-ancestors 'none'");
        headers.forEach(exchange.getResponseHeaders()::set);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(code, -1);
            return;
        }
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }
}
