/** Script of the page `/docs`: starts Swagger UI with a search of operations and headings of tasks. */
export const DOCS_SCRIPT = `
'use strict';

/** Operations that have every word in path, method, id, summary or tag. */
function searchOperations(tags, phrase) {
  const words = phrase.toLowerCase().split(/\\s+/);
  return tags
    .map((tag, name) =>
      tag.update('operations', (operations) =>
        operations.filter((entry) => {
          const operation = entry.get('operation');
          const texts = [entry.get('method'), entry.get('path'), operation.get('operationId')];
          const text = [...texts, operation.get('summary'), name].join(' ').toLowerCase();
          return words.every((word) => text.includes(word));
        }),
      ),
    )
    .filter((tag) => tag.get('operations').size > 0);
}

/** The phrase in the search box; empty for none. */
function phraseOf(system) {
  const filter = system.layoutSelectors.currentFilter();
  return typeof filter === 'string' && filter !== 'true' ? filter : '';
}

const search = {
  fn: { opsFilter: searchOperations },
  wrapComponents: {
    // That of the rewritten document.
    OpenAPIVersion: () => () => null,
    FilterContainer: (_, system) => () =>
      system.React.createElement('input', {
        type: 'search',
        className: 'search',
        placeholder: 'Search operations',
        'aria-label': 'Search operations',
        onChange: ({ target }) => system.layoutActions.updateFilter(target.value || true),
      }),
  },
  statePlugins: {
    layout: {
      wrapSelectors: {
        // Results are visible without a click.
        isShown: (isShown, system) => (_, thing, standard) =>
          ([thing].flat()[0] === 'operations-tag' && phraseOf(system) !== '') ||
          isShown(thing, standard),
      },
    },
  },
};

const tasks = {
  wrapComponents: {
    OperationTag: (OperationTag, system) => (properties) => {
      const { React } = system;
      const phrase = phraseOf(system);
      const tags = system.specSelectors.taggedOperations();
      const shown = (phrase ? searchOperations(tags, phrase) : tags).keySeq().toArray();
      const groups = system.specSelectors.specJson().get('x-tagGroups');
      const group = groups && groups.find((one) => one.get('tags').includes(properties.tag));
      const first = group && shown.find((tag) => group.get('tags').includes(tag));
      const tag = React.createElement(OperationTag, properties);
      return first === properties.tag
        ? React.createElement(
            React.Fragment,
            null,
            React.createElement('h2', { className: 'task' }, group.get('name')),
            tag,
          )
        : tag;
    },
  },
};

/** Rewrites a part of the document for version 3.0, in place. */
function toVersion30(node) {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node.type)) {
    const types = node.type.filter((type) => type !== 'null');
    if (types.length < node.type.length) node.nullable = true;
    node.type = types.length === 1 ? types[0] : undefined;
  }
  if (node.const !== undefined) node.enum = [node.const];
  for (const child of Object.values(node)) toVersion30(child);
}

async function start() {
  const spec = await (await fetch('/openapi.json')).json();
  // Swagger UI shows all of them at once, whatever is searched for.
  delete spec.webhooks;
  const used = new Set(
    Object.values(spec.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => operation.tags || []),
    ),
  );
  spec.tags = spec.tags.filter((tag) => used.has(tag.name));
  // It resolves a document of version 3.1 as a whole, which takes seconds; of 3.0, what is opened.
  spec.openapi = '3.0.4';
  toVersion30(spec.paths);
  toVersion30(spec.components);
  SwaggerUIBundle({
    spec,
    dom_id: '#docs',
    docExpansion: 'none',
    deepLinking: true,
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
    plugins: [search, tasks],
  });
}

void start();
`;

/** Style of the page `/docs` beside that of Swagger UI. */
export const DOCS_STYLE = `
body { margin: 0; padding-top: 56px; background: #fafafa; }
.swagger-ui .search {
  position: fixed; top: 8px; left: 50%; transform: translateX(-50%); z-index: 2; box-sizing: border-box;
  width: calc(100% - 40px); max-width: 1420px; margin: 0; padding: 10px 14px;
  border: 2px solid #61646b; border-radius: 4px; background: #fff; color: #3b4151; font: 16px sans-serif;
}
.swagger-ui .search:focus { outline: 3px solid #4990e2; outline-offset: 1px; }
.swagger-ui .info { margin: 16px 0; }
.swagger-ui .info .renderedMarkdown { max-height: 30vh; overflow: auto; border: 1px solid #d8dde7; padding: 0 12px; }
.swagger-ui .scheme-container { padding: 12px 0; }
.swagger-ui .task { margin: 32px 0 4px; font: bold 26px sans-serif; color: #3b4151; }
`;
