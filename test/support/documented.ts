import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { resolved } from './openapi.js';

interface Operation {
  /** Its own error slugs; those of all operations are in the responses. */
  readonly 'x-error-types'?: readonly string[];
  /** Empty if it needs no token. */
  readonly security?: readonly object[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<Record<string, object>>;
        readonly 'x-error-types'?: readonly string[];
      }
    >
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * Holds every JSON answer of the services under test against the OpenAPI document that they serve: status, media type
 * and body have to be as documented, whatever the test itself looks at.
 */
class Documented {
  private readonly origins = new Set<string>();
  /** Of all origins: the services that a spec starts have one document, which takes long to make and to compile. */
  private answers: Promise<Answers> | null = null;

  /** From now on answers of this origin are checked. */
  serve(origin: string): void {
    this.origins.add(origin);
  }

  /** Fails with what is wrong about an answer, if anything is. */
  async check(method: string, url: string, answer: Response, body: unknown): Promise<void> {
    const { origin, pathname } = new URL(url);
    if (!this.origins.has(origin)) return;
    const media_type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    // The answer to HEAD is that to GET without its body.
    if (!media_type.endsWith('json') || method === 'HEAD') return;
    this.answers ??= fetchAnswers(origin).catch((error: unknown) => {
      // The next answer tries again.
      this.answers = null;
      throw error;
    });
    const wrong = (await this.answers).faultOf(method, pathname, answer.status, media_type, body);
    if (wrong) throw new Error(`${method} ${pathname} answers otherwise than documented: ${wrong}`);
  }
}

async function fetchAnswers(origin: string): Promise<Answers> {
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as Document;
  return new Answers(resolved(document));
}

/** The answers that a document knows. */
class Answers {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly checks = new Map<string, ValidateFunction>();
  private readonly templates: readonly (readonly string[])[];

  constructor(private readonly document: Document) {
    this.ajv.addSchema(document, 'document');
    this.templates = Object.keys(document.paths).map((path) => path.split('/'));
  }

  faultOf(
    method: string,
    pathname: string,
    status: number,
    media_type: string,
    body: unknown,
  ): string | null {
    const path = this.templateOf(pathname);
    const operation = path && this.document.paths[path]?.[method.toLowerCase()];
    // Pages and figures are no operations, nor is what is answered 404 or 405 for not being one.
    if (!operation)
      return status === 404 || status === 405 || !pathname.startsWith('/v1/')
        ? null
        : 'no such operation';
    const key = String(status) in operation.responses || status < 400 ? String(status) : 'default';
    const documented = operation.responses[key];
    if (!documented) return `status ${status} (${JSON.stringify(body)})`;
    if (!documented.content?.[media_type]) return `${media_type} at status ${status}`;
    const place = ['paths', path, method.toLowerCase(), 'responses', key, 'content', media_type];
    const check = this.checkOf([...place, 'schema'].map(asToken).join('/'));
    if (check(body)) {
      const type = errorTypeOf(body);
      const types = [operation, documented].flatMap((part) => part['x-error-types'] ?? []);
      if (type?.startsWith('token.') && operation.security?.length === 0)
        return `error type ${type}`;
      return type === undefined || types.includes(type) ? null : `error type ${type}`;
    }
    const [{ instancePath, message, params } = {} as never] = check.errors ?? [];
    return `status ${status}, ${instancePath} ${message} ${JSON.stringify(params)}`;
  }

  private checkOf(pointer: string): ValidateFunction {
    let check = this.checks.get(pointer);
    if (!check) {
      check = this.ajv.compile({ $ref: `document#/${pointer}` });
      this.checks.set(pointer, check);
    }
    return check;
  }

  /** The path of the document that a path is one of; one without parameters before one with. */
  private templateOf(pathname: string): string | null {
    const parts = pathname.split('/');
    const fitting = this.templates.filter(
      (template) =>
        template.length === parts.length &&
        template.every((part, nth) => part.startsWith('{') || part === parts[nth]),
    );
    const parameters = (template: readonly string[]): number =>
      template.filter((part) => part.startsWith('{')).length;
    return fitting.toSorted((a, b) => parameters(a) - parameters(b))[0]?.join('/') ?? null;
  }
}

/** The slug of an error; undefined for another answer. */
function errorTypeOf(body: unknown): string | undefined {
  const { err, type } = body as { err?: { type: string }; type?: unknown };
  if (err) return err.type;
  return typeof type === 'string' && type.startsWith('/errors/') ? type.slice(8) : undefined;
}

/** A part of a JSON pointer within a URI. */
function asToken(part: string | number): string {
  return encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
}

export const documented = new Documented();
