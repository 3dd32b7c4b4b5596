import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import type { EventSchema } from '../../libs/domain/kernel/event.js';
import { eventSchema } from '../../libs/domain/drive/events.js';

const DOMAIN = join(import.meta.dirname, '../../libs/domain');
/** Where the bodies of events are declared, and what has each family add its own. */
const EVENTS = join(DOMAIN, 'foundation/events.ts');
const FAMILIES = join(DOMAIN, 'drive/families.ts');

/** A field of a stored event, as the type of its body declares it. */
export interface EventField {
  readonly family: string;
  readonly event: string;
  readonly field: string;
  /** True if its type lets it be sealed. */
  readonly is_sealable: boolean;
  /** True for anything but numbers, truth values and words out of a few. */
  readonly is_text: boolean;
  readonly stored: 'clear' | 'organization' | 'person' | 'digest';
}

/** Every field of every event, read from the types of their bodies. */
export function eventFields(): EventField[] {
  const program = ts.createProgram([EVENTS, FAMILIES], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    strict: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(EVENTS)!;
  const bodies = source.statements.find(
    (one): one is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(one) && one.name.text === 'DriveEvents',
  )!;
  return checker.getPropertiesOfType(checker.getTypeAtLocation(bodies)).flatMap((event) => {
    const declaration = event.declarations![0]!;
    const family = basename(dirname(declaration.getSourceFile().fileName));
    const body = checker.getTypeOfSymbol(event);
    return checker.getPropertiesOfType(body).map((field) => ({
      ...{ family, event: event.name, field: field.name },
      is_sealable: partsOf(checker, field).some(({ symbol }) => symbol?.name === 'Box'),
      is_text: partsOf(checker, field).some(isFree),
      stored: storedAs(eventSchema(event.name)!, field.name),
    }));
  });
}

function partsOf(checker: ts.TypeChecker, symbol: ts.Symbol): readonly ts.Type[] {
  const type = checker.getTypeOfSymbol(symbol);
  return type.isUnion() ? type.types : [type];
}

function isFree({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.String | ts.TypeFlags.Object | ts.TypeFlags.Unknown)) !== 0;
}

function storedAs({ secret, personal, hidden }: EventSchema, field: string): EventField['stored'] {
  if (secret?.includes(field)) return 'organization';
  if (personal?.includes(field)) return 'person';
  return hidden?.includes(field) ? 'digest' : 'clear';
}
