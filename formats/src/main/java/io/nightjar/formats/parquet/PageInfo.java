package io.nightjar.formats.parquet;

import io.nightjar.formats.history.InputError;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.jspecify.annotations.Nullable;

/** Header of a page of any kind, in a common form. */
final class PageInfo {

    final PageType type;
    final int uncompressedSize;
    final int compressedSize;
    final @Nullable Integer crc; // of the stored page; null if the writer recorded none
    final int valueCount;
    final @Nullable Encoding encoding; // null if the page has no values
    final Encoding defEncoding;
    final Encoding repEncoding;
    final int repsLength; // uncompressed repetition levels of v2 pages, in bytes
    final int defsLength; // uncompressed definition levels of v2 pages, in bytes
    final boolean isCompressed;

    PageInfo(PageHeader header) {
        type = header.getType();
        uncompressedSize = header.getUncompressed_page_size();
        compressedSize = header.getCompressed_page_size();
        crc = header.isSetCrc() ? header.getCrc() : null;
        DataPageHeader data = type == PageType.DATA_PAGE ? header.getData_page_header() : null;
        DataPageHeaderV2 dataV2 = type == PageType.DATA_PAGE_V2 ? header.getData_page_header_v2() : null;
        DictionaryPageHeader dictionary = type == PageType.DICTIONARY_PAGE ? header.getDictionary_page_header() : null;
        if (data != null) {
            valueCount = data.getNum_values();
            encoding = data.getEncoding();
        } else if (dataV2 != null) {
            valueCount = dataV2.getNum_values();
            encoding = dataV2.getEncoding();
        } else if (dictionary != null) {
            valueCount = dictionary.getNum_values();
            encoding = dictionary.getEncoding();
        } else {
            valueCount = 0;
            encoding = null;
        }
        defEncoding = data == null ? Encoding.RLE : data.getDefinition_level_encoding();
        repEncoding = data == null ? Encoding.RLE : data.getRepetition_level_encoding();
        repsLength = dataV2 == null ? 0 : dataV2.getRepetition_levels_byte_length();
        defsLength = dataV2 == null ? 0 : dataV2.getDefinition_levels_byte_length();
        isCompressed = dataV2 == null || dataV2.isIs_compressed();
        if (uncompressedSize < 0 || compressedSize < 0 || valueCount < 0 || hasValues() && encoding == null) {
            throw new CorruptFileException(InputError.of("page header is incomplete"));
        }
    }

    /** Returns whether the page is a data page or a dictionary. */
    boolean hasValues() {
        return type == PageType.DATA_PAGE || type == PageType.DATA_PAGE_V2 || type == PageType.DICTIONARY_PAGE;
    }
}
