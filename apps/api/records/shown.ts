import { ApiProperty, getSchemaPath } from '@nestjs/swagger';

/** Fields of answers, for the OpenAPI document; one decorator per kind of value. */

interface Notes {
  readonly description?: string;
  readonly example?: unknown;
}

const shown = (schema: object, notes: Notes = {}): PropertyDecorator =>
  ApiProperty({ ...schema, required: true, ...notes });

export const ShownText = (notes?: Notes): PropertyDecorator => shown({ type: String }, notes);

export const ShownTextOrNull = (notes?: Notes): PropertyDecorator =>
  shown({ type: String, nullable: true }, notes);

/** Milliseconds since epoch, or a count. */
export const ShownInteger = (notes?: Notes): PropertyDecorator => shown({ type: 'integer' }, notes);

export const ShownIntegerOrNull = (notes?: Notes): PropertyDecorator =>
  shown({ type: 'integer', nullable: true }, notes);

export const ShownFlag = (notes?: Notes): PropertyDecorator => shown({ type: Boolean }, notes);

export const ShownFlagOrNull = (notes?: Notes): PropertyDecorator =>
  shown({ type: Boolean, nullable: true }, notes);

export const ShownFlags = (notes?: Notes): PropertyDecorator => shown({ type: [Boolean] }, notes);

export const ShownTexts = (notes?: Notes): PropertyDecorator => shown({ type: [String] }, notes);

export const ShownOneOf = (values: readonly string[], notes?: Notes): PropertyDecorator =>
  shown({ type: 'string', enum: values }, notes);

/** A list of words of a closed set. */
export const ShownWords = (values: readonly string[], notes?: Notes): PropertyDecorator =>
  shown({ type: 'array', items: { type: 'string', enum: values } }, notes);

/** A list of anything. */
export const ShownList = (notes?: Notes): PropertyDecorator =>
  shown({ type: 'array', items: {} }, notes);

export const ShownRecord = (type: () => new () => object, notes?: Notes): PropertyDecorator =>
  // Nest takes a function for a lazy type only if it is called `type`.
  shown({ type: () => type() }, notes);

export const ShownRecordOrNull = (type: () => new () => object, notes?: Notes): PropertyDecorator =>
  shown({ type: () => type(), nullable: true }, notes);

export const ShownRecords = (type: () => new () => object, notes?: Notes): PropertyDecorator =>
  shown({ type: () => type(), isArray: true }, notes);

export const ShownObjectOrNull = (notes?: Notes): PropertyDecorator =>
  shown({ type: 'object', nullable: true, additionalProperties: true }, notes);

export const ShownObject = (notes?: Notes): PropertyDecorator =>
  shown({ type: 'object', additionalProperties: true }, notes);

export const ShownNumber = (notes?: Notes): PropertyDecorator => shown({ type: Number }, notes);

export const ShownIntegers = (notes?: Notes): PropertyDecorator =>
  shown({ type: 'integer', isArray: true }, notes);

/** Nothing, ever. */
export const ShownNull = (notes?: Notes): PropertyDecorator => shown({ type: 'null' }, notes);

/** Any JSON value. */
export const ShownValue = (notes?: Notes): PropertyDecorator =>
  shown({ oneOf: [{}], nullable: true }, notes);

/** Lists of records by word. The controller must name the class to `ApiExtraModels`. */
export const ShownListsByWord = (of: new () => object, notes?: Notes): PropertyDecorator => {
  const lists = { type: 'array', items: { $ref: getSchemaPath(of) } };
  return shown({ type: 'object', additionalProperties: lists }, notes);
};
