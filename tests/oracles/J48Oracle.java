import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import weka.classifiers.trees.J48;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Grow J48 trees and say all about them, as JSON.
 *
 * <p>The one argument is a file of jobs, one per line: options, training ARFF, test ARFF (may be empty),
 * separated by tabs. The class is the last attribute. One line of JSON per job goes to standard output.
 */
public class J48Oracle {
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    List<String> jobs = Files.readAllLines(Path.of(args[0]), StandardCharsets.UTF_8);
    for (String job : jobs) {
      String[] parts = job.split("\t", -1);
      Instances train = read(parts[1]);
      J48 tree = new J48();
      tree.setOptions(Utils.splitOptions(parts[0]));
      tree.buildClassifier(train);
      StringBuilder json = new StringBuilder("{\"version\": ").append(quote(Version.VERSION));
      json.append(", \"text\": ").append(quote(tree.toString()));
      json.append(", \"leaves\": ").append((int) tree.measureNumLeaves());
      json.append(", \"size\": ").append((int) tree.measureTreeSize());
      json.append(", \"train\": ").append(predictions(tree, train));
      if (!parts[2].isEmpty()) {
        json.append(", \"new\": ").append(predictions(tree, read(parts[2])));
      }
      out.println(json.append("}"));
    }
  }

  private static Instances read(String path) throws Exception {
    Instances data = new DataSource(path).getDataSet();
    data.setClassIndex(data.numAttributes() - 1);
    return data;
  }

  /** Return predicted class codes and class distributions, one per row. */
  private static String predictions(J48 tree, Instances data) throws Exception {
    StringBuilder codes = new StringBuilder();
    StringBuilder shares = new StringBuilder();
    for (Instance row : data) {
      String comma = codes.length() > 0 ? ", " : "";
      codes.append(comma).append((int) tree.classifyInstance(row));
      shares.append(comma).append("[");
      double[] distribution = tree.distributionForInstance(row);
      for (int j = 0; j < distribution.length; j++) {
        shares.append(j > 0 ? ", " : "").append(distribution[j]);
      }
      shares.append("]");
    }
    return "{\"predicted\": [" + codes + "], \"distribution\": [" + shares + "]}";
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
