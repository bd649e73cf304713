const words = new Set(['and', 'or', 'unless', 'offset', 'bool']);

/** The metrics that a PromQL expression selects, with the labels of its matchers. */
export function selectorsOf(expression: string): { metric: string; labels: string[] }[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right) *\([^)]*\)/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ');
  const found = bare.matchAll(/(?<![\w.:])([a-z_][\w:]*)(?! *\(|\w)(?:\{([^}]*)\})?/gi);
  return [...found]
    .map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/(\w+) *[=!]/g)].map(([, label = '']) => label),
    }))
    .filter(({ metric }) => !words.has(metric));
}
