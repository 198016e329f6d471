import { xml } from '../../src/formats/xml/format.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';
import { anyDocuments } from './xml-documents.ts';
import { checkAgainstOracle } from './xml-oracle.ts';

goldenCases('xml', xml);
formatContract(xml, { documents: anyDocuments, oracle: checkAgainstOracle });
