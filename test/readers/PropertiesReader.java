import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Properties;

/** Reads .properties files, one per line in base64, with java.util.Properties; prints keys and values in base64. */
public class PropertiesReader {
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      StringBuilder entries = new StringBuilder();
      try {
        read(decode(Base64.getDecoder().decode(line)), entries);
        out.print(entries);
        out.print("end\n");
      } catch (IllegalArgumentException error) {
        out.print("refused " + encode(error.toString()) + "\n");
      }
    }
    out.flush();
  }

  private static void read(String text, StringBuilder entries) throws Exception {
    new Properties() {
      @Override
      public synchronized Object put(Object key, Object value) {
        // The table keeps only the last of several equal keys; the program keeps all of them.
        entries.append("entry ").append(encode((String) key)).append(' ').append(encode((String) value)).append('\n');
        return super.put(key, value);
      }
    }.load(new StringReader(text));
  }

  /** Reads UTF-8, or else ISO-8859-1, like java.util.PropertyResourceBundle. */
  private static String decode(byte[] bytes) {
    if (startsWith(bytes, 0xff, 0xfe)) return after(bytes, 2, StandardCharsets.UTF_16LE);
    if (startsWith(bytes, 0xfe, 0xff)) return after(bytes, 2, StandardCharsets.UTF_16BE);
    if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return after(bytes, 3, StandardCharsets.UTF_8);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException error) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }

  private static boolean startsWith(byte[] bytes, int... mark) {
    for (int i = 0; i < mark.length; i++) if (bytes.length <= i || (bytes[i] & 0xff) != mark[i]) return false;
    return true;
  }

  private static String after(byte[] bytes, int skip, Charset charset) {
    return new String(bytes, skip, bytes.length - skip, charset);
  }

  /** Keeps lone surrogates, which no charset can encode. */
  private static String encode(String text) {
    byte[] units = new byte[text.length() * 2];
    for (int i = 0; i < text.length(); i++) {
      units[2 * i] = (byte) text.charAt(i);
      units[2 * i + 1] = (byte) (text.charAt(i) >> 8);
    }
    return "=" + Base64.getEncoder().encodeToString(units);
  }
}
