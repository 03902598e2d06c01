/** Arrays of numbers: element types, shapes, and the file formats that hold them. */
package io.isle.apps.jobs.data;
