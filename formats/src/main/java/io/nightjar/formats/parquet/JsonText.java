package io.nightjar.formats.parquet;

/** Strings as JSON spells them. */
final class JsonText {

    private JsonText() {}

    static String quote(String string) {
        StringBuilder json = new StringBuilder(string.length() + 2);
        quote(json, string);
        return json.toString();
    }

    static void quote(StringBuilder json, String string) {
        json.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"', '\\' -> json.append('\\').append(c);
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                default -> {
                    if (c < ' ') {
                        json.append(String.format("\\u%04x", (int) c));
                    } else {
                        json.append(c);
                    }
                }
            }
        }
        json.append('"');
    }
}
