import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Properties;

/** Reads one base64 document per line, and prints its pairs: base64 of key and value, all UTF-16LE. */
class Oracle {
  public static void main(String[] arguments) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    StringBuilder answer = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Properties pairs = new Properties();
      pairs.load(new StringReader(new String(chars(Base64.getDecoder().decode(line)))));
      for (String key : pairs.stringPropertyNames()) {
        answer.append(encode(key)).append(' ').append(encode(pairs.getProperty(key))).append(',');
      }
      answer.append('\n');
    }
    System.out.print(answer);
  }

  // Decodes by hand, because Java's decoders replace lone surrogates.
  static char[] chars(byte[] bytes) {
    char[] chars = new char[bytes.length / 2];
    for (int i = 0; i < chars.length; i++) chars[i] = (char) ((bytes[2 * i] & 255) | (bytes[2 * i + 1] & 255) << 8);
    return chars;
  }

  static String encode(String text) {
    byte[] bytes = new byte[text.length() * 2];
    for (int i = 0; i < text.length(); i++) {
      bytes[2 * i] = (byte) text.charAt(i);
      bytes[2 * i + 1] = (byte) (text.charAt(i) >> 8);
    }
    return Base64.getEncoder().encodeToString(bytes);
  }
}
