import { FileFault } from '../file-fault.ts';
import { attribute, attributesOf } from './xml-attributes.ts';

/** Spreadsheet programs write a part per sheet and some twenty others. */
export const partsMax = 1000;

export function tooManyParts(): FileFault {
  return new FileFault({ key: 'manyParts', values: { max: partsMax } });
}

export const workbookPart = 'xl/workbook.xml';

/** Says where the other parts are. */
export const relationsPart = 'xl/_rels/workbook.xml.rels';

/** A relation of the workbook to another part. */
interface Relation {
  readonly id: string | undefined;
  readonly type: string;
  /** The part's name in the archive. */
  readonly path: string;
}

const relationTag = new RegExp(String.raw`<(?:[\w.-]+:)?Relationship((?:${attribute})+)\s*/?>`, 'g');

/**
 * @param xml the content of {@link relationsPart}
 * @throws {FileFault} for more relations than a workbook has parts
 */
export function relationsOf(xml: string): Relation[] {
  const relations: Relation[] = [];
  for (const [, text] of xml.matchAll(relationTag)) {
    if (relations.length === partsMax) throw tooManyParts();
    const { Id, Type = '', Target = '' } = attributesOf(text);
    relations.push({ id: Id, type: Type, path: pathOf(Target) });
  }
  return relations;
}

/** A target is relative to the folder of the workbook, unless it begins with a slash. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

const usualStylesPart = 'xl/styles.xml';

const typeRead = /\/(?:worksheet|sharedStrings|styles)$/;

/**
 * Returns the names of the parts that hold texts, formats and cells.
 *
 * @param relations the content of {@link relationsPart}
 */
export function namesOfContent(relations: string): string[] {
  const related = relationsOf(relations).filter(({ type }) => typeRead.test(type));
  // The reader looks there when no relation names them.
  return ['xl/sharedStrings.xml', usualStylesPart, ...related.map(({ path }) => path)];
}

/** @param relations the content of {@link relationsPart} */
export function stylesPartOf(relations: string): string {
  return relationsOf(relations).find(({ type }) => type.endsWith('/styles'))?.path ?? usualStylesPart;
}
