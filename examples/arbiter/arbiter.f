// What both arbiters need; paths are relative to this folder.
+incdir+include
rtl/lowest_one.v
