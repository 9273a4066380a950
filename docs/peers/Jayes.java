import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;
import org.eclipse.recommenders.jayes.BayesNet;
import org.eclipse.recommenders.jayes.BayesNode;
import org.eclipse.recommenders.jayes.inference.jtree.JunctionTreeAlgorithm;
import org.eclipse.recommenders.jayes.inference.jtree.JunctionTreeBuilder;
import org.eclipse.recommenders.jayes.util.triangulation.MinDegree;
import org.eclipse.recommenders.jayes.util.triangulation.MinFillIn;

/**
 * Measures Jayes: all posteriors for each of some rows of evidence, by a junction tree that is built
 * beforehand, with the better of its two heuristics. Arguments: a network in UAI's format, the rows,
 * the seconds to measure for, and a file for the answers.
 */
public class Jayes {
    private final List<BayesNode> nodes = new ArrayList<>();
    private final BayesNet net = new BayesNet();
    private final List<Map<BayesNode, String>> rows = new ArrayList<>();
    private double[] medians;
    private double sum; // keeps the answers alive

    public static void main(String[] args) throws Exception {
        Jayes j = new Jayes();
        j.readNetwork(Path.of(args[0]));
        j.readRows(Path.of(args[1]));
        double seconds = Double.parseDouble(args[2]);
        JunctionTreeAlgorithm best = null;
        double least = Double.MAX_VALUE;
        for (boolean fill : new boolean[] {true, false}) {
            JunctionTreeAlgorithm tree = new JunctionTreeAlgorithm();
            tree.setJunctionTreeBuilder(JunctionTreeBuilder.forHeuristic(fill ? new MinFillIn() : new MinDegree()));
            tree.setNetwork(j.net);
            j.measure(tree, seconds / 2); // the machine's compiler is at work
            j.measure(tree, seconds / 4);
            if (j.median() < least) {
                best = tree;
                least = j.median();
            }
        }
        j.measure(best, seconds);
        System.out.printf(Locale.ROOT, "Jayes  easiest row %.2f us, median row %.2f us%n", j.medians[0] / 1e3, j.median() / 1e3);
        j.answers(best, Path.of(args[3]));
    }

    private double median() { return medians[medians.length / 2]; }

    private void readNetwork(Path file) throws Exception {
        Scanner in = new Scanner(file).useLocale(Locale.ROOT);
        in.next();
        int[] states = new int[in.nextInt()];
        for (int v = 0; v < states.length; v++) {
            states[v] = in.nextInt();
            String[] names = new String[states[v]];
            Arrays.setAll(names, Integer::toString);
            nodes.add(net.createNode("x" + v));
            nodes.get(v).addOutcomes(names);
        }
        int[][] scopes = new int[in.nextInt()][];
        for (int f = 0; f < scopes.length; f++) {
            scopes[f] = new int[in.nextInt()];
            for (int i = 0; i < scopes[f].length; i++) scopes[f][i] = in.nextInt();
        }
        for (int[] scope : scopes) { // the child is the last variable, and varies fastest
            double[] table = new double[in.nextInt()];
            for (int i = 0; i < table.length; i++) table[i] = Double.parseDouble(in.next());
            List<BayesNode> parents = new ArrayList<>();
            for (int i = 0; i < scope.length - 1; i++) parents.add(nodes.get(scope[i]));
            BayesNode child = nodes.get(scope[scope.length - 1]);
            child.setParents(parents);
            child.setProbabilities(table);
        }
    }

    private void readRows(Path file) throws Exception {
        List<String> lines = Files.readAllLines(file);
        for (int r = 0; r < lines.size() - 1; r++) {
            String[] cells = lines.get(r + 1).split(",");
            Map<BayesNode, String> row = new HashMap<>();
            for (int v = 0; v < cells.length; v++) {
                if ((v + r) % 10 == 0) row.put(nodes.get(v), cells[v]);
            }
            rows.add(row);
        }
    }

    private void query(JunctionTreeAlgorithm tree, int row) {
        tree.setEvidence(rows.get(row));
        for (BayesNode n : nodes) sum += tree.getBeliefs(n)[0];
    }

    /** Sets medians: of each row in nanoseconds, sorted. */
    private void measure(JunctionTreeAlgorithm tree, double seconds) {
        List<List<Long>> times = new ArrayList<>();
        for (int r = 0; r < rows.size(); r++) times.add(new ArrayList<>());
        long start = System.nanoTime();
        do {
            for (int r = 0; r < rows.size(); r++) {
                long t = System.nanoTime();
                query(tree, r);
                times.get(r).add(System.nanoTime() - t);
            }
        } while (System.nanoTime() - start < seconds * 1e9);
        medians = times.stream().mapToDouble(list -> list.stream().sorted().skip(list.size() / 2).findFirst().get()).sorted().toArray();
    }

    private void answers(JunctionTreeAlgorithm tree, Path file) throws Exception {
        try (PrintWriter out = new PrintWriter(file.toFile())) {
            for (Map<BayesNode, String> row : rows) {
                tree.setEvidence(row);
                for (BayesNode n : nodes) for (double p : tree.getBeliefs(n)) out.print(p + " ");
                out.println();
            }
        }
    }
}
