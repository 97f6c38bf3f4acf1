package io.nightjar.jobs.objects;

import io.nightjar.jobs.objects.HttpCaller.Answer;
import java.io.IOException;
import java.io.StringReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Parser of the pages of a listing, of S3 or Azure. */
final class ListingPage {

    private ListingPage() {}

    /** A request for the page of a token, which is empty for the first page. */
    @FunctionalInterface
    interface Pages {

        Answer page(String token) throws IOException;
    }

    /**
     * Returns the entries of a folder, page by page, at least as many as the maximum if it has so many.
     *
     * @param address the folder, for messages
     * @param prefix the folder with a slash, or an empty string; entries begin with it
     */
    static List<ObjectInfo> entries(String address, String prefix, int max, Pages pages) throws IOException {
        List<ObjectInfo> entries = new ArrayList<>();
        String next = "";
        do {
            Answer answer = pages.page(next);
            if (answer.status() != 200) {
                throw HttpCaller.refused(address, answer);
            }
            try {
                next = parse(answer.text(), prefix, entries);
            } catch (XMLStreamException | DateTimeException | NumberFormatException wrong) {
                throw new IOException(
                        "[" + address + "] answer to a listing is not readable: reason="
                                + String.valueOf(wrong.getMessage()).replaceAll("\\s+", " "),
                        wrong);
            }
        } while (!next.isEmpty() && entries.size() < max);
        return entries;
    }

    /** Adds the entries of a page; returns the token of the page that follows, empty after the last. */
    private static String parse(String page, String prefix, List<ObjectInfo> into) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(page.replaceFirst("^\uFEFF", "")));
        Map<String, String> pageFields = new HashMap<>();
        Map<String, String> fields = pageFields;
        List<Map.Entry<String, Map<String, String>>> entries = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamReader.CHARACTERS) {
                text.append(xml.getText());
            } else if (event == XMLStreamReader.START_ELEMENT) {
                text.setLength(0);
                fields = isEntry(xml.getLocalName()) ? new HashMap<>() : fields;
            } else if (event == XMLStreamReader.END_ELEMENT) {
                if (isEntry(xml.getLocalName())) {
                    entries.add(Map.entry(xml.getLocalName(), fields));
                    fields = pageFields;
                } else {
                    fields.putIfAbsent(xml.getLocalName(), text.toString());
                    text.setLength(0);
                }
            }
        }
        boolean isEncoded = "url".equals(pageFields.get("EncodingType"));
        for (Map.Entry<String, Map<String, String>> entry : entries) {
            add(entry.getValue(), entry.getKey().contains("Prefix"), isEncoded, prefix, into);
        }
        boolean isLastOfS3 = !"true".equals(pageFields.get("IsTruncated"));
        String next = isLastOfS3 ? "" : pageFields.getOrDefault("NextContinuationToken", "");
        return next.isEmpty() ? pageFields.getOrDefault("NextMarker", "") : next;
    }

    private static boolean isEntry(String name) {
        return switch (name) {
            case "Contents", "CommonPrefixes", "Blob", "BlobPrefix" -> true;
            default -> false;
        };
    }

    private static void add(
            Map<String, String> fields, boolean isFolder, boolean isEncoded, String prefix, List<ObjectInfo> into) {
        String named = fields.getOrDefault("Key", fields.getOrDefault("Name", fields.getOrDefault("Prefix", "")));
        String key = isEncoded ? URLDecoder.decode(named, StandardCharsets.UTF_8) : named;
        String name = key.substring(Math.min(prefix.length(), key.length())).replaceAll("/$", "");
        if (name.isEmpty()) {
            return; // some programs write an object for a folder
        }
        if (isFolder) {
            into.add(ObjectInfo.folder(prefix + name));
            return;
        }
        long size = Long.parseLong(fields.getOrDefault("Size", fields.getOrDefault("Content-Length", "0")));
        String etag = fields.getOrDefault("ETag", fields.getOrDefault("Etag", ""));
        String quoted = etag.isEmpty() || etag.startsWith("\"") ? etag : "\"" + etag + "\""; // as in headers
        into.add(new ObjectInfo(prefix + name, size, instant(fields), quoted, false));
    }

    private static Instant instant(Map<String, String> fields) {
        String ofS3 = fields.getOrDefault("LastModified", "");
        String ofAzure = fields.getOrDefault("Last-Modified", "");
        if (!ofAzure.isEmpty()) {
            return ZonedDateTime.parse(ofAzure, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
        }
        return ofS3.isEmpty() ? Instant.EPOCH : Instant.parse(ofS3);
    }
}
